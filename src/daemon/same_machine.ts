import { BeeuniError } from "../errors/error.ts";

/** Which names a request may give in `Host`: any, or this one beside the loopback names. */
export type HostRule = { any: true } | { any: false; also: string | undefined };

/**
 * What `--host` allows in a request's `Host` header (specification 2.7): on a loopback address only loopback
 * names, on one address also that one, on all addresses any.
 *
 * @param hostname Value of `--host`.
 */
export function hostRule(hostname: string): HostRule {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (name === "0.0.0.0" || name === "::") return { any: true };
  return { any: false, also: isLoopback(name) ? undefined : name };
}

/**
 * Refuses what a page in a browser could send: a `Host` that is not this machine (a DNS name that was rebound to
 * 127.0.0.1), or an `Origin` that is not the daemon's own.
 *
 * @throws {BeeuniError} `forbidden_origin`.
 */
export function checkSameMachine(headers: Headers, rule: HostRule): void {
  const host = splitHost(headers.get("host") ?? "");
  if (host === undefined || !allows(rule, host.name)) {
    throw new BeeuniError("forbidden_origin", "the request's Host is not this machine.");
  }
  const origin = headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, host, rule)) {
    throw new BeeuniError("forbidden_origin", "the request's Origin is not this daemon.");
  }
}

interface HostName {
  /** Lower case, an IPv6 address without brackets. */
  name: string;
  port: string;
}

function allows(rule: HostRule, name: string): boolean {
  return rule.any ? name !== "" : isLoopback(name) || name === rule.also;
}

function isOwnOrigin(origin: string, host: HostName, rule: HostRule): boolean {
  const rest = /^http:\/\/(.+)$/i.exec(origin)?.[1];
  const from = rest === undefined ? undefined : splitHost(rest);
  if (from === undefined || from.port !== host.port) return false;
  return from.name === host.name || (!rule.any && allows(rule, from.name));
}

/** `name`, `name:port` or `[ip6]:port`; the port is 80 when none is given. */
function splitHost(text: string): HostName | undefined {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([^\[\]:/@\s]+))(?::(\d{1,5}))?$/i.exec(text);
  const name = parts?.[1] ?? parts?.[2];
  return name === undefined ? undefined : { name: name.toLowerCase(), port: parts?.[3] ?? "80" };
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
