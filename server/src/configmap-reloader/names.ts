import * as v from "valibot";
import { shortSha256 } from "../kubernetes/digest.ts";

/** The longest name of an annotation, after the slash. */
const MAX_NAME_LENGTH = 63;
const DIGEST_LENGTH = 10;

/** What is added to the annotation's name to name its options; the longest has 15 characters. */
const OPTIONS = ["keys", "maxUnavailable", "debounce", "dryRun"] as const;
const SEEN = "seen";

/** The name of the annotation that makes the reloader look after a ConfigMap, such as `magalix.com/podDeleteMatch`. */
export const annotationName = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9]([-a-z0-9.]{0,200}[a-z0-9])?\/[A-Za-z0-9]([-A-Za-z0-9_.]{0,46}[A-Za-z0-9])?$/,
    'must be a DNS name, "/", and a name of at most 48 characters, such as "magalix.com/podDeleteMatch"',
  ),
);

/** Every annotation that the reloader reads and writes. */
export interface AnnotationNames {
  /** On a ConfigMap, by a person: the label selector of the pods. */
  selector: string;
  /** On a ConfigMap, by a person: each option. */
  options: Record<(typeof OPTIONS)[number], string>;
  /** On a ConfigMap, by the reloader: what it has seen of it, when every pod had its record. */
  seen: string;
  /** On a pod, by the reloader: the hash of what the pod started with, of the ConfigMap of a name. */
  record: (configMapName: string) => Promise<string>;
}

/** The names of all annotations, which follow from the one that people choose. */
export const annotationNames = (annotation: string): AnnotationNames => {
  const optionOf = (option: string) => `${annotation}.${option}`;
  const [domain = ""] = annotation.split("/");
  return {
    selector: annotation,
    options: {
      keys: optionOf("keys"),
      maxUnavailable: optionOf("maxUnavailable"),
      debounce: optionOf("debounce"),
      dryRun: optionOf("dryRun"),
    },
    seen: optionOf(SEEN),
    record: async (configMapName) => `configmap.${domain}/${await shortened(configMapName)}`,
  };
};

/** A ConfigMap's name may be longer than an annotation's: then its end is a digest of the whole. */
const shortened = async (name: string): Promise<string> => {
  if (name.length <= MAX_NAME_LENGTH) {
    return name;
  }
  const kept = name.slice(0, MAX_NAME_LENGTH - DIGEST_LENGTH - 1);
  return `${kept}-${await shortSha256(name)}`;
};
