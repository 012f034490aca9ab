/** Port of Deno's inspector: no tool may reach it on this machine. */
const INSPECTOR_PORT = "9229";

/** Cloud metadata services (specification 2.3), as `URL` writes addresses. */
const METADATA_HOSTS = ["169.254.169.254", "100.100.100.200", "[fd00:ec2::254]"];

/**
 * Whether an entry of a `net` list names an address that is denied to every tool, in any spelling.
 *
 * @param host An entry that has the form of the schema.
 */
export function isDeniedAddress(host: string): boolean {
  if (host.startsWith("*.")) return false;
  const bare = !host.startsWith("[") && host.split(":").length > 2;
  const url = URL.parse(`http://${bare ? `[${host}]` : host}`);
  if (url === null) return false;
  const name = unmapped(url.hostname.replace(/\.$/, ""));
  return METADATA_HOSTS.includes(name) || (url.port === INSPECTOR_PORT && isThisMachine(name));
}

/** `[::ffff:7f00:1]` as `127.0.0.1`; anything else as it is. */
function unmapped(host: string): string {
  const halves = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host);
  if (halves === null) return host;
  const bytes = halves.slice(1).flatMap((half) => [parseInt(half, 16) >> 8, parseInt(half, 16) & 255]);
  return bytes.join(".");
}

function isThisMachine(host: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(host) || host === "localhost" ||
    host.endsWith(".localhost");
}
