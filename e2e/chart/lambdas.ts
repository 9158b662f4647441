import {
  MAX_CODE_BYTES,
  PYTHON_LAMBDA_API_VERSION,
} from "../../server/src/python-lambda/schema.ts";

const lambda = (name: string, spec?: unknown) => ({
  apiVersion: PYTHON_LAMBDA_API_VERSION,
  kind: "PythonLambda",
  metadata: { name },
  ...(spec === undefined ? {} : { spec }),
});

const code = 'output = "hello"';

/** A lambda that both the API server and the webhook server must refuse, and words of the reason that the first gives. */
interface Refused {
  /** What is wrong with it. */
  title: string;
  reason: string;
  object: object;
}

const refused = (title: string, reason: string, object: object): Refused => ({
  title,
  reason,
  object,
});

export const REFUSED_LAMBDAS: readonly Refused[] = [
  refused("no spec", "spec: Required value", lambda("a")),
  refused("no code", "spec.code: Required value", lambda("a", {})),
  refused("code that is a number", "spec.code", lambda("a", { code: 3 })),
  refused("code that is a list", "spec.code", lambda("a", { code: [code] })),
  refused("code that is null", "spec.code", lambda("a", { code: null })),
  refused("a NUL in the code", "must have no NUL character", lambda("a", { code: "a\0b" })),
  refused(
    "code with too many characters",
    "spec.code: Too long",
    lambda("a", { code: "#".repeat(MAX_CODE_BYTES + 1) }),
  ),
  refused(
    "code with too many bytes in few enough characters",
    "must have at most 131072 bytes in UTF-8",
    lambda("a", { code: "é".repeat(MAX_CODE_BYTES / 2 + 1) }),
  ),
  refused("less than no replicas", "spec.replicas", lambda("a", { code, replicas: -1 })),
  refused("too many replicas", "spec.replicas", lambda("a", { code, replicas: 101 })),
  refused("half a replica", "spec.replicas", lambda("a", { code, replicas: 2.5 })),
  refused("replicas in quotes", "spec.replicas", lambda("a", { code, replicas: "3" })),
  ...[
    ["a host with a space", "a b.example.com"],
    ["a host with an underscore", "a_b.example.com"],
    ["a wildcard host", "*.example.com"],
    ["a host in upper case", "Hello.example.com"],
    ["a host with a port", "hello.example.com:80"],
    ["a host with a path", "hello.example.com/x"],
    ["an empty host", ""],
    ["a host with an empty label", "hello..com"],
    ["a host with a label that is too long", `${"a".repeat(64)}.com`],
    ["a host that ends with a line break", "hello.example.com\n"],
  ].map(([title = "", host]) => refused(title, "must be a host name", lambda("a", { code, host }))),
  refused(
    "a host that is too long",
    "spec.host: Too long",
    lambda("a", { code, host: "a.".repeat(127).slice(0, -1).concat("aa") }),
  ),
  refused("a host that is a number", "spec.host", lambda("a", { code, host: 80 })),
  refused("a name that starts with a digit", "metadata.name", lambda("1a", { code })),
  refused("a name with a dot", "metadata.name", lambda("a.b", { code })),
  refused("a name that is too long", "metadata.name", lambda("a".repeat(64), { code })),
];

/** Lambdas at the edge of what is taken. */
export const TAKEN_LAMBDAS: readonly { title: string; object: object }[] = [
  { title: "nothing but code", object: lambda("a", { code }) },
  { title: "empty code", object: lambda("a", { code: "" }) },
  { title: "as much code as may be", object: lambda("a", { code: "#".repeat(MAX_CODE_BYTES) }) },
  { title: "code of odd characters", object: lambda("a", { code: "\ufeffé\r\n\t%s$(X){{ }}😀" }) },
  { title: "no replicas", object: lambda("a", { code, replicas: 0 }) },
  { title: "as many replicas as may be", object: lambda("a", { code, replicas: 100 }) },
  { title: "a host of one label", object: lambda("a", { code, host: "localhost" }) },
  { title: "a host that is an address", object: lambda("a", { code, host: "127.0.0.1" }) },
  { title: "the longest name", object: lambda("a".repeat(63), { code }) },
];
