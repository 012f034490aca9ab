/** Variables of the daemon's environment that a runner gets (specification 2.3); `LC_*` too. */
const PASSED = new Set([
  "PATH",
  "HOME",
  "LANG",
  "TZ",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "DENO_CERT",
  "NODE_EXTRA_CA_CERTS",
  "DENO_TLS_CA_STORE",
]);

/** Folders a runner is told by its environment. */
export interface RunnerEnvFolders {
  /** The temporary folder of its agent. */
  tmp: string;
  /** Deno's cache, outside every checkout. */
  denoDir: string;
}

/**
 * The whole environment of a runner process: nothing of the daemon's but what finds programs, the proxy and
 * certificates. No secret is ever in it.
 */
export function runnerEnv(
  daemonEnv: Readonly<Record<string, string>>,
  folders: RunnerEnvFolders,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(daemonEnv)) {
    if (PASSED.has(name) || name.startsWith("LC_")) env[name] = value;
  }
  // A relative folder would mean one in the checkout, where tools may write.
  if (env.PATH !== undefined) {
    env.PATH = env.PATH.split(":").filter((folder) => folder.startsWith("/")).join(":");
  }
  return {
    ...env,
    NO_COLOR: "1",
    TMPDIR: folders.tmp,
    DENO_DIR: folders.denoDir,
    // Deno looks up its own newest version otherwise.
    DENO_NO_UPDATE_CHECK: "1",
  };
}
