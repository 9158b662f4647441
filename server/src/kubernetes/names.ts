import * as v from "valibot";

/** The longest DNS label, and so the longest name of a Service: RFC 1035, section 2.3.4. */
const MAX_LABEL_LENGTH = 63;

/** The longest DNS name in text form: RFC 1035, section 2.3.4. */
const MAX_HOSTNAME_LENGTH = 253;

/**
 * A name that a Service, and so every child, can take: a DNS label that starts with a letter.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#rfc-1035-label-names
 */
export const serviceName = v.pipe(
  v.string(),
  v.maxLength(MAX_LABEL_LENGTH, `must have at most ${MAX_LABEL_LENGTH} characters`),
  v.regex(
    /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
    'must be lower-case letters, digits and "-", start with a letter and not end with "-"',
  ),
);

/**
 * A host that an Ingress rule can take: an RFC 1123 name with no wildcard, no port and no upper case.
 * https://kubernetes.io/docs/concepts/services-networking/ingress/#hostname-wildcards
 */
export const hostname = v.pipe(
  v.string(),
  v.maxLength(MAX_HOSTNAME_LENGTH, `must have at most ${MAX_HOSTNAME_LENGTH} characters`),
  v.regex(
    /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/,
    'must be a host name such as "hello.example.com": lower-case letters, digits and "-" in labels of at most 63 characters, with no space, "_", "*" or port',
  ),
);
