/** One part of a label selector. The values of `gt` and `lt` are one whole number. */
interface Requirement {
  key: string;
  operator: "in" | "notin" | "exists" | "absent" | "gt" | "lt";
  values: readonly string[];
}

/** What pods must meet, all of it. */
export type Selector = readonly Requirement[];

const NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
const PREFIX = "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?";

/** A label's key: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
const KEY = new RegExp(`^(${PREFIX}/)?${NAME}$`);
const VALUE = new RegExp(`^(${NAME})?$`);
const WHOLE_NUMBER = /^-?\d+$/;

/** A comma that is not in brackets. */
const BETWEEN_REQUIREMENTS = /,(?![^()]*\))/;

const SET = /^(?<key>\S+)\s+(?<operator>in|notin)\s*\((?<values>[^()]*)\)$/;
const COMPARISON = /^(?<key>[^\s=!<>]+)\s*(?<sign>==|=|!=|>|<)\s*(?<value>[^\s=!<>]*)$/;
const PRESENCE = /^(?<absent>!\s*)?(?<key>[^\s=!<>()]+)$/;

const SIGNS = { "=": "in", "==": "in", "!=": "notin", ">": "gt", "<": "lt" } as const;

/**
 * Reads a label selector in its text form, equality-based or set-based, as kubectl and the API server do. An empty one, which
 * would select everything, is an error here.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 * @throws {SyntaxError} which says what is wrong with which part.
 */
export const parseSelector = (text: string): Selector => {
  if (text.trim() === "") {
    throw new SyntaxError('is empty: write a label selector such as "app=frontend"');
  }
  return text.split(BETWEEN_REQUIREMENTS).map((part) => parseRequirement(part.trim()));
};

const parseRequirement = (part: string): Requirement => {
  const requirement = toRequirement(part);
  if (!requirement) {
    throw new SyntaxError(`"${part}" is no requirement such as "app=frontend" or "tier in (a, b)"`);
  }
  const { key, operator, values } = requirement;
  if (!KEY.test(key)) {
    throw new SyntaxError(`"${key}" in "${part}" cannot be the key of a label`);
  }
  const isNumeric = operator === "gt" || operator === "lt";
  const wrong = values.find((value) => !(isNumeric ? WHOLE_NUMBER : VALUE).test(value));
  if (wrong !== undefined) {
    const what = isNumeric ? "is no whole number" : "cannot be the value of a label";
    throw new SyntaxError(`"${wrong}" in "${part}" ${what}`);
  }
  return requirement;
};

const toRequirement = (part: string): Requirement | undefined => {
  const set = part.match(SET)?.groups;
  if (set) {
    const values = (set.values ?? "").split(",").map((value) => value.trim());
    return { key: set.key ?? "", operator: set.operator as "in" | "notin", values };
  }
  const comparison = part.match(COMPARISON)?.groups;
  if (comparison) {
    const operator = SIGNS[comparison.sign as keyof typeof SIGNS];
    return { key: comparison.key ?? "", operator, values: [comparison.value ?? ""] };
  }
  const presence = part.match(PRESENCE)?.groups;
  if (presence) {
    return { key: presence.key ?? "", operator: presence.absent ? "absent" : "exists", values: [] };
  }
  return undefined;
};

/** Whether labels meet a selector. As in Kubernetes, `!=` and `notin` are met by a label that is not there. */
export const matches = (selector: Selector, labels: Readonly<Record<string, string>>): boolean =>
  selector.every((requirement) => meets(requirement, labels[requirement.key]));

const meets = ({ operator, values }: Requirement, label: string | undefined): boolean => {
  switch (operator) {
    case "in":
      return label !== undefined && values.includes(label);
    case "notin":
      return label === undefined || !values.includes(label);
    case "exists":
      return label !== undefined;
    case "absent":
      return label === undefined;
    default:
      return compares(operator, label, Number(values[0]));
  }
};

const compares = (operator: "gt" | "lt", label: string | undefined, bound: number): boolean =>
  label !== undefined &&
  WHOLE_NUMBER.test(label) &&
  (operator === "gt" ? Number(label) > bound : Number(label) < bound);
