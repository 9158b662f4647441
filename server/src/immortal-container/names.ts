const POD_SUFFIX = "-immortalpod";

/** The longest name of a pod: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
const MAX_POD_NAME_LENGTH = 253;

export const MAX_NAME_LENGTH = MAX_POD_NAME_LENGTH - POD_SUFFIX.length;

export const podName = (name: string): string => `${name}${POD_SUFFIX}`;

export const CONTAINER_NAME = "acontainer";

/** Annotations of a pod: what was so when it was made. */
export const RESTARTS_ANNOTATION = "example.com/restarts";
export const BACKOFF_ANNOTATION = "example.com/backoff-seconds";
