import { describe, expect, test } from "vitest";
import { helloWorldHook } from "./controller.ts";

const hook = helloWorldHook({ image: "busybox:1" });

const helloWorld = (spec: unknown) => ({
  apiVersion: "example.com/v1",
  kind: "HelloWorld",
  metadata: { name: "hello", namespace: "default" },
  spec,
});

const callWith = (parent: unknown, pods: object = {}) =>
  hook.call({ parent, children: { "Pod.v1": pods } });

const commandFor = async (spec: object) => {
  const outcome = await callWith(helloWorld(spec));
  return JSON.parse(JSON.stringify(outcome)).body.children[0].spec.containers[0].command;
};

describe("a HelloWorld", () => {
  test("has one pod of its name, which greets and ends", async () => {
    expect(await callWith(helloWorld({ who: "Martin" }))).toEqual({
      status: 200,
      body: {
        status: { pods: 0 },
        children: [
          {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "hello" },
            spec: {
              restartPolicy: "OnFailure",
              automountServiceAccountToken: false,
              enableServiceLinks: false,
              securityContext: {
                runAsNonRoot: true,
                runAsUser: 65532,
                runAsGroup: 65532,
                seccompProfile: { type: "RuntimeDefault" },
              },
              containers: [
                {
                  name: "hello",
                  image: "busybox:1",
                  command: ["echo", "Hello, Martin!"],
                  securityContext: {
                    allowPrivilegeEscalation: false,
                    readOnlyRootFilesystem: true,
                    capabilities: { drop: ["ALL"] },
                  },
                },
              ],
            },
          },
        ],
      },
    });
  });

  test("greets the world when it names nobody", async () => {
    expect(await commandFor({})).toEqual(["echo", "Hello, World!"]);
  });

  test.each([
    ["what the kubelet would fill in", "$(HOME) $$ $", "Hello, $$(HOME) $$$$ $$!"],
    ["what a shell would run", "`id`; 'x' \"y\" \\n", "Hello, `id`; 'x' \"y\" \\n!"],
    ["lines and emoji", "you\nand 🦉", "Hello, you\nand 🦉!"],
  ])("greets %s as it is written", async (_, who, greeting) => {
    expect(await commandFor({ who })).toEqual(["echo", greeting]);
  });

  test("counts the pods that there are", async () => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "hello" } };
    const outcome = await callWith(helloWorld({}), { hello: pod });
    expect(outcome).toHaveProperty("body.status", { pods: 1 });
  });

  test.each([
    ["no spec", undefined, "parent.spec"],
    ["a number to greet", { who: 1 }, "parent.spec.who"],
    ["nobody to greet", { who: "" }, "parent.spec.who"],
    ["too many characters to greet", { who: "a".repeat(1001) }, "parent.spec.who"],
    ["a NUL in whom to greet", { who: "a\0" }, "parent.spec.who"],
  ])("with %s is refused, so that its pod stays as it is", async (_, spec, path) => {
    expect(await callWith(helloWorld(spec))).toMatchObject({ status: 422, issues: [{ path }] });
  });
});
