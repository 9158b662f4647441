import type { CompositeResponse, ObservedObjects } from "../metacontroller/protocol.ts";
import { pod } from "./resources.ts";
import type { HelloWorld } from "./schema.ts";
import type { HelloWorldSettings } from "./settings.ts";

interface SyncRequest {
  parent: HelloWorld;
  children: ObservedObjects;
}

/** The pod that a HelloWorld should have, and how many there are. */
export const sync = (
  { parent, children }: SyncRequest,
  settings: HelloWorldSettings,
): CompositeResponse => ({
  status: { pods: Object.keys(children["Pod.v1"] ?? {}).length },
  children: [pod(parent, settings)],
});
