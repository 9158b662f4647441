import { describe, expect, it } from "vitest";
import { toSchemas } from "./openapi.ts";

const definitions = {
  "v1.Pod": {
    type: "object",
    properties: { spec: { $ref: "#/definitions/v1.PodSpec" } },
    "x-kubernetes-group-version-kind": [{ group: "", version: "v1", kind: "Pod" }],
  },
  "v1.PodSpec": {
    type: "object",
    properties: { port: { $ref: "#/definitions/IntOrString" }, labels: { type: "object" } },
  },
  IntOrString: { type: "string", format: "int-or-string" },
  Unused: { type: "string" },
};

describe("schemas of an API server's OpenAPI document", () => {
  const files = toSchemas({ definitions });
  const pod = files.get("v1_v1_pod.json");

  it("are one for each kind, under the name by which kubeconform asks for it", () => {
    expect([...files.keys()]).toEqual(["v1_v1_pod.json"]);
  });

  it("carry the definitions that they refer to, however far away, and no other", () => {
    expect(Object.keys(pod?.definitions ?? {})).toEqual(["v1.PodSpec", "IntOrString"]);
  });

  it("refuse fields that they do not name, but leave maps open", () => {
    expect(pod).toHaveProperty("additionalProperties", false);
    expect(pod).toHaveProperty(["definitions", "v1.PodSpec", "additionalProperties"], false);
    const labels = ["definitions", "v1.PodSpec", "properties", "labels"];
    expect(pod).toHaveProperty(labels, { type: "object" });
  });

  it("take a number or a text where the API server takes either", () => {
    expect(pod).toHaveProperty(["definitions", "IntOrString", "type"], ["integer", "string"]);
  });
});
