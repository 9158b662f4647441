import {
  HELLO_WORLD_API_VERSION,
  HELLO_WORLD_KIND,
  helloWorldSpec,
  helloWorldStatus,
} from "../server/src/hello-world/schema.ts";
import {
  IMMORTAL_CONTAINER_API_VERSION,
  IMMORTAL_CONTAINER_KIND,
  immortalContainerName,
  immortalContainerSpec,
  immortalContainerStatus,
} from "../server/src/immortal-container/schema.ts";
import { serviceName } from "../server/src/kubernetes/names.ts";
import {
  PYTHON_LAMBDA_API_VERSION,
  PYTHON_LAMBDA_KIND,
  pythonLambdaSpec,
  pythonLambdaStatus,
} from "../server/src/python-lambda/schema.ts";
import type { Kind } from "./generate-crd.ts";

const READY = '.status.conditions[?(@.type=="Ready")]';

/** Every kind of object that the operator brings. */
export const kinds: readonly Kind[] = [
  {
    folder: "python-lambda",
    apiVersion: PYTHON_LAMBDA_API_VERSION,
    kind: PYTHON_LAMBDA_KIND,
    description: "A Python function that answers HTTP requests.",
    shortNames: ["py"],
    name: serviceName,
    spec: pythonLambdaSpec,
    status: pythonLambdaStatus,
    subresources: {
      scale: {
        specReplicasPath: ".spec.replicas",
        statusReplicasPath: ".status.pods",
        labelSelectorPath: ".status.selector",
      },
    },
    columns: [
      { name: "URL", type: "string", jsonPath: ".status.url" },
      { name: "Ready", type: "string", jsonPath: `${READY}.status` },
      { name: "Pods", type: "integer", jsonPath: ".status.pods" },
      { name: "Revision", type: "string", jsonPath: ".status.revision" },
      { name: "Reason", type: "string", jsonPath: `${READY}.reason` },
    ],
  },
  {
    folder: "immortal-container",
    apiVersion: IMMORTAL_CONTAINER_API_VERSION,
    kind: IMMORTAL_CONTAINER_KIND,
    description: "A container in a pod that always comes back.",
    enabledBy: "immortalContainer.enabled",
    name: immortalContainerName,
    spec: immortalContainerSpec,
    status: immortalContainerStatus,
    columns: [
      { name: "Image", type: "string", jsonPath: ".spec.image" },
      { name: "Pod", type: "string", jsonPath: ".status.currentPod" },
      { name: "Ready", type: "string", jsonPath: `${READY}.status` },
      { name: "Restarts", type: "integer", jsonPath: ".status.restarts" },
    ],
  },
  {
    folder: "hello-world",
    apiVersion: HELLO_WORLD_API_VERSION,
    kind: HELLO_WORLD_KIND,
    description: "A pod that greets somebody.",
    enabledBy: "helloWorld.enabled",
    spec: helloWorldSpec,
    status: helloWorldStatus,
    columns: [
      { name: "Who", type: "string", jsonPath: ".spec.who" },
      { name: "Pods", type: "integer", jsonPath: ".status.pods" },
    ],
  },
];
