/**
 * The addresses of this machine at which a daemon on `hostname` can be reached, besides the loopback ones: a tool
 * must not reach it there either (specification 2.3).
 *
 * @param hostname Value of `--host`.
 * @param interfaces The machine's addresses.
 * @returns IPv6 in brackets.
 */
export function daemonAddresses(hostname: string, interfaces: readonly { address: string }[]): string[] {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = name === "0.0.0.0" || name === "::" ? interfaces.map(({ address }) => address) : [name];
  return [...new Set(addresses.filter((address) => !isLoopback(address)).map(bracketed))];
}

function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address.startsWith("127.");
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address.replace(/%.*$/, "")}]` : address;
}
