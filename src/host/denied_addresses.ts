/** Port of Deno's inspector, which SIGUSR1 opens. */
const INSPECTOR_PORT = 9229;

/** Addresses of cloud metadata services (specification 2.3). */
const METADATA_ADDRESSES = ["169.254.169.254", "100.100.100.200", "[fd00:ec2::254]"];

/**
 * Spellings of this machine that Deno compares as written. Other names and mapped forms are checked when they are
 * resolved; `localhost` would be too, but then `fetch` says no more than that it failed.
 */
const LOCAL_ADDRESSES = ["127.0.0.1", "0.0.0.0", "[::1]", "[::]", "localhost"];

/**
 * What no tool may connect to (specification 2.3): the daemon, the inspector, metadata services.
 *
 * @param daemonPort Port of the daemon; undefined when none listens.
 * @param ownAddresses Further addresses of this machine at which the daemon answers, IPv6 in brackets.
 */
export function deniedAddresses(
  daemonPort: number | undefined,
  ownAddresses: readonly string[] = [],
): string[] {
  const daemon = daemonPort === undefined
    ? []
    : [...LOCAL_ADDRESSES, ...ownAddresses].map((address) => `${address}:${daemonPort}`);
  return [
    ...daemon,
    ...LOCAL_ADDRESSES.map((address) => `${address}:${INSPECTOR_PORT}`),
    ...METADATA_ADDRESSES,
  ];
}

/**
 * A net list without the addresses that are denied: Deno refuses to start a worker whose list holds one. Whatever
 * the list says, the process's own denial holds.
 */
export function withoutDenied(list: readonly string[], denied: readonly string[]): string[] {
  return list.filter((host) => !denied.some((address) => host === address || host.startsWith(`${address}:`)));
}
