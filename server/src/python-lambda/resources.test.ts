import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { configMapName, podLabels } from "./names.ts";
import { podTemplate, revisionOf } from "./pod.ts";
import { configMap, deployment, ingress, service } from "./resources.ts";
import { readLambda, settings } from "./testing.ts";

const labels = { app: "hello", "app.kubernetes.io/managed-by": "python-lambda-operator" };

describe("the ConfigMap", () => {
  test("holds the code of one revision and never changes", () => {
    expect(configMap(readLambda(), "abc")).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "hello-abc", labels },
      immutable: true,
      data: { "lambda.py": "output = 1\n" },
    });
  });

  test.each([
    ["CRLF", "a\r\nb\r\n"],
    ["tabs", "if 1:\n\toutput = 1"],
    ["a byte order mark", "\ufeffoutput = 1"],
    ["formatting characters", "output = '%s' % 1 # {{ .Values }} $(X) $$ `x`"],
    ["triple quotes", `output = """'''"""`],
    ["emoji", "output = '🦉'"],
    ["no final newline", "output = 1"],
  ])("keeps code with %s as it is", (_, code) => {
    expect(configMap(readLambda({ code }), "abc")).toHaveProperty("data", { "lambda.py": code });
  });

  test("holds code as base64 when escaped it would outgrow the annotation in which Metacontroller keeps it", () => {
    const code = "<é>".repeat(30_000);
    const { binaryData } = configMap(readLambda({ code }), "abc") as {
      binaryData: Record<string, string>;
    };
    const bytes = Buffer.from(binaryData["lambda.py"] ?? "", "base64");
    expect(bytes.toString()).toBe(code);
  });

  test("fits into an annotation of 256 KiB whatever the code", () => {
    const anyCode = fc.string({
      unit: fc.constantFrom("<", "\n", '"', "\u0001", "a", "é", "\u2028"),
      maxLength: 65_000,
      minLength: 60_000,
    });
    fc.assert(
      fc.property(anyCode, (code) => {
        const json = JSON.stringify(configMap(readLambda({ code }), "abc"));
        expect(json.replaceAll("<", "\\u003c").length).toBeLessThan(262_144);
      }),
      { numRuns: 20 },
    );
  });
});

describe("the Deployment", () => {
  test("rolls out with no pod missing at any time", () => {
    const { metadata, spec } = deployment(readLambda({ replicas: 3 }), "abc", settings());
    expect(metadata).toEqual({ name: "hello", labels });
    expect(spec).toMatchObject({
      replicas: 3,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
  });

  test("sets its replicas even to 0", () => {
    expect(deployment(readLambda({ replicas: 0 }), "abc", settings()).spec.replicas).toBe(0);
  });
});

describe("a pod", () => {
  const { metadata, spec } = podTemplate(
    "hello",
    "abc",
    settings({
      runtime: {
        image: "runtime:1",
        imagePullPolicy: "Never",
        resources: { limits: { memory: "64Mi" } },
      },
    }),
  );

  test("is labelled with its lambda and its revision", () => {
    expect(metadata?.labels).toEqual({ ...labels, "example.com/revision": "abc" });
  });

  test("runs the runtime on the code of its revision", () => {
    expect(spec).toMatchObject({
      volumes: [{ name: "code", configMap: { name: "hello-abc" } }, { name: "tmp" }],
      containers: [
        {
          image: "runtime:1",
          imagePullPolicy: "Never",
          args: ["/lambda/lambda.py", "--host=0.0.0.0", "--port=8080", "--health-port=8081"],
          env: [{ name: "LAMBDA_REVISION", value: "abc" }],
          resources: { limits: { memory: "64Mi" } },
          volumeMounts: [{ name: "code", mountPath: "/lambda", readOnly: true }, { name: "tmp" }],
        },
      ],
    });
  });

  test("meets the restricted pod security standard", () => {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        {
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
        },
      ],
    });
  });

  test("has longer to end than it serves on and drains", () => {
    const [container] = spec?.containers ?? [];
    const sleep = container?.lifecycle?.preStop?.sleep?.seconds ?? 0;
    expect(sleep).toBe(6);
    expect(spec?.terminationGracePeriodSeconds).toBe(40);
  });
});

describe("the Service", () => {
  test("is the pods' one address, with the annotations that the Ingress controller needs", () => {
    expect(service(readLambda(), settings({ service: { annotations: { lb: "native" } } }))).toEqual(
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "hello", labels, annotations: { lb: "native" } },
        spec: {
          type: "ClusterIP",
          selector: labels,
          ports: [{ name: "http", protocol: "TCP", port: 80, targetPort: "http" }],
        },
      },
    );
  });
});

describe("the Ingress", () => {
  test("sends every path of the lambda's host to the Service", () => {
    expect(ingress(readLambda({ host: "a.example.com" }), settings())).toEqual({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "hello", labels, annotations: {} },
      spec: {
        rules: [
          {
            host: "a.example.com",
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "Prefix",
                  backend: { service: { name: "hello", port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    });
  });

  test("has the operator's host when the lambda gives none", () => {
    expect(ingress(readLambda(), settings({ host: "lambdas.org" })).spec.rules[0]?.host).toBe(
      "lambdas.org",
    );
  });

  test("has the class, the annotations and the certificate that the settings ask for", () => {
    const { metadata, spec } = ingress(
      readLambda({ host: "a.org" }),
      settings({ ingress: { className: "traefik", annotations: { issuer: "acme" }, tls: true } }),
    );
    expect(metadata.annotations).toEqual({ issuer: "acme" });
    expect(spec).toMatchObject({
      ingressClassName: "traefik",
      tls: [{ hosts: ["a.org"], secretName: "hello-tls-secret" }],
    });
  });
});

const lambdaName = fc
  .stringMatching(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/)
  .filter((name) => name.length <= 63);

describe("for every name that a lambda can have", () => {
  test("each child's name and each label is one that Kubernetes takes", async () => {
    await fc.assert(
      fc.asyncProperty(lambdaName, async (name) => {
        const revision = await revisionOf(readLambda({}, name), settings());
        expect(revision).toMatch(/^[0-9a-f]{10}$/);
        expect(configMapName(name, revision)).toMatch(/^[a-z0-9]([-a-z0-9]{0,251}[a-z0-9])?$/);
        for (const value of Object.values(
          podTemplate(name, revision, settings()).metadata?.labels ?? {},
        )) {
          expect(value).toMatch(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/);
        }
      }),
    );
  });

  test("two lambdas never share a child's name or select each other's pods", () => {
    fc.assert(
      fc.property(lambdaName, lambdaName, (one, other) => {
        fc.pre(one !== other);
        expect(configMapName(one, "0123456789")).not.toBe(configMapName(other, "0123456789"));
        expect(podLabels(one)).not.toEqual(podLabels(other));
      }),
    );
  });
});

describe("a revision", () => {
  const revision = (spec: object, given: object = {}) =>
    revisionOf(readLambda(spec), settings(given));

  test("is the same for the same code and template, whatever else changes", async () => {
    const first = await revision({ code: "output = 1" });
    expect(first).toMatch(/^[0-9a-f]{10}$/);
    expect(await revision({ code: "output = 1", replicas: 5, host: "other" })).toBe(first);
  });

  test.each([
    ["the code", { code: "output = 2" }, {}],
    ["the end of the code's last line", { code: "output = 1\n" }, {}],
    ["the runtime's image", { code: "output = 1" }, { runtime: { image: "runtime:2" } }],
  ])("changes with %s", async (_, spec, given) => {
    expect(await revision(spec, given)).not.toBe(await revision({ code: "output = 1" }));
  });
});
