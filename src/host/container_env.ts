import { PROVIDER_KEYS } from "./web_tool_hosts.ts";

/** Beeuni's own credentials: no project tool gets them (specification 2.6). */
const OWN_CREDENTIALS = ["BEEUNI_TOKEN", "BEEUNI_SECRETS_KEY", "BEEUNI_MODEL_API_KEY"];

/** Whether a variable never reaches `context.env` or `process.env` of a project tool (specification 2.6). */
export function isReserved(name: string): boolean {
  return OWN_CREDENTIALS.includes(name) || name.startsWith("BEEUNI_TOOL_") || name.startsWith("OPENCODE_");
}

/** `env` without the reserved variables. */
export function withoutReserved(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isReserved(name)));
}

/** Values in the container's environment that are credentials by their name, to be masked like secrets. */
export function credentialValues(env: Readonly<Record<string, string>>): string[] {
  return [...OWN_CREDENTIALS, ...PROVIDER_KEYS].flatMap((name) => env[name] ?? []);
}
