const SHORT_DIGEST_LENGTH = 10;

/** The SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export const sha256 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** The first 10 digits of `sha256`. */
export const shortSha256 = async (text: string): Promise<string> =>
  (await sha256(text)).slice(0, SHORT_DIGEST_LENGTH);
