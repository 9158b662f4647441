import { describe, expect, test } from "vitest";
import { pythonLambdaHook } from "./controller.ts";
import { MAX_CODE_BYTES } from "./schema.ts";
import { lambda, settings } from "./testing.ts";

const callWith = (parent: unknown) =>
  pythonLambdaHook(settings()).call({ parent, children: { "ConfigMap.v1": {} } });

describe("the schema of a PythonLambda takes", () => {
  test.each([
    ["no replicas and no host", {}],
    ["no pods", { replicas: 0 }],
    ["the most pods", { replicas: 100 }],
    ["a host of one label", { host: "a" }],
    ["a host that begins with a digit", { host: "1.example.com" }],
    ["code as long as it may be", { code: "#".repeat(MAX_CODE_BYTES) }],
    ["empty code", { code: "" }],
    ["code with every character but NUL", { code: '\u0001\t\r\n%s """ $(X) {{ }} \ufeff😀' }],
  ])("%s", async (_, spec) => {
    expect(await callWith(lambda(spec))).toMatchObject({ status: 200 });
  });
});

describe("the schema of a PythonLambda refuses, with the path and never with an empty list of children,", () => {
  const host = "parent.spec.host";
  const replicas = "parent.spec.replicas";
  const code = "parent.spec.code";
  test.each([
    ["replicas below 0", { replicas: -1 }, [replicas]],
    ["replicas above 100", { replicas: 101 }, [replicas]],
    ["replicas as text", { replicas: "3" }, [replicas]],
    ["half a replica", { replicas: 2.5 }, [replicas]],
    ["a host with a space", { host: "a b" }, [host]],
    ["a host with an underscore", { host: "a_b" }, [host]],
    ["a wildcard host", { host: "*.example.com" }, [host]],
    ["a host with a port", { host: "a:80" }, [host]],
    ["an upper-case host", { host: "A" }, [host]],
    ["an empty host", { host: "" }, [host]],
    ["a host with an empty label", { host: "a..b" }, [host]],
    ["a host of more than 253 characters", { host: "a.".repeat(127) }, [host, host]],
    ["code over the limit", { code: "#".repeat(MAX_CODE_BYTES + 1) }, [code]],
    [
      "code over the limit in bytes, not in characters",
      { code: "😀".repeat(MAX_CODE_BYTES / 4 + 1) },
      [code],
    ],
    ["code with a NUL", { code: "a = '\0'" }, [code]],
    ["code that is no text", { code: 1 }, [code]],
    ["several things at once", { code: 1, replicas: -1, host: "_" }, [code, replicas, host]],
  ])("%s", async (_, spec, paths) => {
    const outcome = await callWith(lambda(spec as object));
    expect(outcome).toMatchObject({ status: 422, issues: paths.map((path) => ({ path })) });
    expect(outcome).not.toHaveProperty("body");
  });

  test.each([
    ["no name", { ...lambda(), metadata: {} }, "parent.metadata.name"],
    ["a name with a dot", { ...lambda(), metadata: { name: "a.b" } }, "parent.metadata.name"],
    [
      "a name that begins with a digit",
      { ...lambda(), metadata: { name: "1a" } },
      "parent.metadata.name",
    ],
    [
      "a name of 64 characters",
      { ...lambda(), metadata: { name: "a".repeat(64) } },
      "parent.metadata.name",
    ],
    ["another kind", { ...lambda(), kind: "Pod" }, "parent.kind"],
    ["no spec", { ...lambda(), spec: undefined }, "parent.spec"],
    ["no code", { ...lambda(), spec: {} }, "parent.spec.code"],
    ["no parent", undefined, "parent"],
  ])("%s", async (_, parent, path) => {
    expect(await callWith(parent)).toMatchObject({ status: 422, issues: [{ path }] });
  });
});
