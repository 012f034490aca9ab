/**
 * A value as JSON text with every secret in it masked (specification 2.6), as it is stored.
 *
 * Each string is masked by itself, which keeps the JSON whole; a secret that spans more than one string is masked in the
 * whole text, and what is no JSON any more is stored as a string. So is what JSON can't say.
 */
export function maskedJson(value: unknown, mask: (text: string) => string): string {
  let text: string;
  try {
    text = JSON.stringify(value, (_, item) => typeof item === "string" ? mask(item) : item) ?? "null";
  } catch {
    return JSON.stringify("(arguments that can't be written as JSON)");
  }
  const masked = mask(text);
  if (masked === text) return text;
  try {
    JSON.parse(masked);
    return masked;
  } catch {
    return JSON.stringify(masked);
  }
}
