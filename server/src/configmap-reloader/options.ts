import { parseSelector, type Selector } from "../kubernetes/selector.ts";
import type { AnnotationNames } from "./names.ts";

/** What a ConfigMap's annotations ask for. */
export interface Options {
  selector: Selector;
  /** The selector as it was written. */
  selectorText: string;
  /** The keys that count; all when left out. */
  keys?: readonly string[];
  /** How many of the pods may be gone or not Ready at a time. At least 1, which is the default. */
  maxUnavailable: number;
  /** How long the content must have been as it is before a pod is evicted. 0 by default. */
  debounceSeconds: number;
  /** Whether evictions are only reported. */
  dryRun: boolean;
}

type Annotations = Readonly<Record<string, string>>;

/**
 * Reads the annotations of a ConfigMap.
 * @returns the options, or everything that is wrong with them, each as a sentence that begins with the annotation's name.
 */
export const parseOptions = (
  annotations: Annotations,
  names: AnnotationNames,
): { options: Options } | { problems: string[] } => {
  const problems: string[] = unknownOptions(annotations, names);
  const read = <T>(name: string, parse: (text: string) => T, missing: T): T => {
    try {
      const text = annotations[name];
      return text === undefined ? missing : parse(text);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
      return missing;
    }
  };
  const selectorText = annotations[names.selector] ?? "";
  const keys = read<readonly string[] | undefined>(names.options.keys, parseKeys, undefined);
  const options = {
    selector: read(names.selector, parseSelector, []),
    selectorText,
    ...(keys ? { keys } : {}),
    maxUnavailable: read(names.options.maxUnavailable, parseMaxUnavailable, 1),
    debounceSeconds: read(names.options.debounce, parseSeconds, 0),
    dryRun: read(names.options.dryRun, parseBoolean, false),
  };
  return problems.length > 0 ? { problems } : { options };
};

/** A misspelt option would be left out in silence. */
const unknownOptions = (annotations: Annotations, names: AnnotationNames): string[] => {
  const known = [...Object.values(names.options), names.seen];
  return Object.keys(annotations)
    .filter((name) => name.startsWith(`${names.selector}.`) && !known.includes(name))
    .map((name) => `${name} is no option: there are ${Object.values(names.options).join(", ")}`);
};

const parseKeys = (text: string): readonly string[] => {
  const keys = text.split(",").map((key) => key.trim());
  const wrong = keys.find((key) => !/^[-._a-zA-Z0-9]+$/.test(key));
  if (wrong !== undefined) {
    throw new SyntaxError(`has "${wrong}", which cannot be a key: write keys such as "a.conf,b"`);
  }
  return keys.toSorted();
};

const parseMaxUnavailable = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new SyntaxError(`is "${text}": it must be a whole number of pods, at least 1`);
  }
  return Number(text);
};

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

const parseSeconds = (text: string): number => {
  const [, amount, unit] = text.match(/^(\d{1,5})([smh])$/) ?? [];
  if (!unit) {
    throw new SyntaxError(`is "${text}": it must be a time such as "30s", "5m" or "1h"`);
  }
  return Number(amount) * SECONDS[unit as keyof typeof SECONDS];
};

const parseBoolean = (text: string): boolean => {
  if (text !== "true" && text !== "false") {
    throw new SyntaxError(`is "${text}": it must be "true" or "false"`);
  }
  return text === "true";
};
