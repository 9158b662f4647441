import { shortSha256 } from "../kubernetes/digest.ts";
import type { ConfigMap } from "./schema.ts";

/**
 * A short hash of a ConfigMap's content, whatever the order of its keys.
 * @param keys the keys that count; all when left out. One that is not there counts as well: it may come.
 */
export const contentHash = (
  { data, binaryData }: Pick<ConfigMap, "data" | "binaryData">,
  keys?: readonly string[],
): Promise<string> => {
  const counted = (entries: Record<string, string>) =>
    Object.entries(entries)
      .filter(([key]) => keys?.includes(key) ?? true)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return shortSha256(JSON.stringify([counted(data), counted(binaryData)]));
};

const CONTENT_FIELDS = ["f:data", "f:binaryData"];

/**
 * When the content changed last, at the latest, in seconds since 1970: the API server keeps, for each writer, which fields it
 * wrote and when it last changed any of them. A writer of content and labels may have changed but a label.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export const changedAtSeconds = ({ metadata }: ConfigMap): number => {
  const times = metadata.managedFields
    .filter(({ fieldsV1 }) => CONTENT_FIELDS.some((field) => field in fieldsV1))
    .flatMap(({ time }) => time ?? []);
  return Math.max(metadata.creationTimestamp, ...times);
};
