/** The label that says which revision a pod runs. */
export const REVISION_LABEL = "example.com/revision";

/** The labels that select a lambda's pods. `app` alone could also be on pods that are not ours. */
export const podLabels = (name: string) => ({
  app: name,
  "app.kubernetes.io/managed-by": "python-lambda-operator",
});

/** The label selector of a lambda's pods in text form, as `kubectl scale` and autoscalers read it. */
export const podSelector = (name: string): string =>
  Object.entries(podLabels(name))
    .map(([key, value]) => `${key}=${value}`)
    .join(",");

export const configMapName = (name: string, revision: string): string => `${name}-${revision}`;
