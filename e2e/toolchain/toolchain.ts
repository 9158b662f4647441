/** What the tests and `npm run cluster` call: one caller at a time, and an error that says what to do. */
import * as clusters from "./cluster.ts";
import * as engines from "./engine.ts";
import { explain } from "./explain.ts";
import { withLock } from "./lock.ts";
import * as tools from "./tools.ts";

export const ensureTools = atEdge(tools.ensureTools);
export const ensureCommands = atEdge(tools.ensureCommands);
export const stopEngine = atEdge(engines.stopEngine);
export const ensureCluster = atEdge(clusters.ensureCluster);
export const deleteCluster = atEdge(clusters.deleteCluster);

function atEdge<Parameters extends readonly unknown[], Result>(
  action: (...parameters: Parameters) => Promise<Result>,
): (...parameters: Parameters) => Promise<Result> {
  return async (...parameters) => {
    try {
      return await withLock(() => action(...parameters));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      const advice = explain(message);
      throw advice === undefined ? cause : new Error(`${message}\n${advice}`, { cause });
    }
  };
}
