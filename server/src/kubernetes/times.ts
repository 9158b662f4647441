import * as v from "valibot";

/**
 * A time as Kubernetes writes it (RFC 3339, whole seconds, UTC) in milliseconds since 1970; undefined for none, and for a text
 * that is no time.
 * https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#time-v1-meta
 */
export const toMs = (time: string | null | undefined): number | undefined => {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? undefined : ms;
};

/** A time as Kubernetes writes it, read as seconds since 1970. */
export const timeSeconds = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => Date.parse(text) / 1000),
);
