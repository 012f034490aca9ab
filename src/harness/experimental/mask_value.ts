import type { ToolHost } from "../../host/types.ts";

/**
 * A JSON value with every known secret in it masked (specification 2.6).
 *
 * @returns The same value when there is none in it; its masked text when that is no JSON any more.
 */
export function maskValue(value: unknown, host: Pick<ToolHost, "mask">): unknown {
  const text = JSON.stringify(value) ?? "null";
  const masked = host.mask(text);
  if (masked === text) return value;
  try {
    return JSON.parse(masked);
  } catch {
    return masked;
  }
}
