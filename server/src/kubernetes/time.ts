import * as v from "valibot";

const MS_PER_SECOND = 1000;

/** A time as Kubernetes writes it (RFC 3339), read as seconds since 1970. */
export const timeSeconds = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => Date.parse(text) / MS_PER_SECOND),
);
