const SHORT_DIGEST_BYTES = 5;

/** The first 10 hexadecimal digits of the SHA-256 of a text's UTF-8 bytes. */
export const shortSha256 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const bytes = Array.from(new Uint8Array(digest, 0, SHORT_DIGEST_BYTES));
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
