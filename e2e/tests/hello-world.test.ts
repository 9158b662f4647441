import { join } from "node:path";
import { describe, expect } from "vitest";

import { helloWorldObject, REFUSED_OBJECTS } from "../chart/small-kinds.ts";
import { type Got, type Namespace, test } from "./fixture.ts";

const EXAMPLE = join(import.meta.dirname, "../../examples/hello-world.yaml");

const hasEnded = ({ status }: Got) => status.phase === "Succeeded";

/** What a pod says once it is another than the one that was there before. */
const greetingOf = async (ns: Namespace, name: string, before?: string): Promise<string> => {
  await ns.becomes(`pod/${name}`, (pod) => pod.metadata.uid !== before && hasEnded(pod));
  return ns.run(["logs", name]);
};

describe.concurrent("a HelloWorld", () => {
  test("greets whom the example names, and says how many pods it has", async ({ ns }) => {
    await ns.run(["apply", `--filename=${EXAMPLE}`]);
    expect(await greetingOf(ns, "hello-world")).toBe("Hello, Martin!");
    await ns.becomes("helloworlds/hello-world", ({ status }) => status?.pods === 1);
  });

  test("greets the world when it names nobody", async ({ ns }) => {
    await ns.apply(helloWorldObject({}));
    expect(await greetingOf(ns, "hello")).toBe("Hello, World!");
  });

  test("greets whom it is changed to, from a new pod, whatever the characters", async ({ ns }) => {
    await ns.apply(helloWorldObject({ who: "first" }));
    expect(await greetingOf(ns, "hello")).toBe("Hello, first!");
    const { uid } = (await ns.get("pod/hello")).metadata;
    const who = "$(HOME) $$ `id` \"x\" 'y' \\n 🦉";
    await ns.apply(helloWorldObject({ who }));
    expect(await greetingOf(ns, "hello", uid)).toBe(`Hello, ${who}!`);
  });

  test("takes its pod with it when it is deleted", async ({ ns }) => {
    await ns.apply(helloWorldObject({}));
    await ns.becomes("pod/hello", hasEnded);
    await ns.run(["delete", "helloworlds/hello"]);
    await ns.becomes("pods", ({ items }) => items.length === 0);
  });
});

describe("kubectl apply refuses, and says why,", () => {
  test("every HelloWorld and ImmortalContainer that the schemas refuse; the others go on", async ({
    ns,
  }) => {
    for (const { title, object, reason } of REFUSED_OBJECTS) {
      await expect(ns.apply(object), title).rejects.toThrow(reason);
    }
    await ns.apply(helloWorldObject({ who: "you" }));
    expect(await greetingOf(ns, "hello")).toBe("Hello, you!");
  });
});
