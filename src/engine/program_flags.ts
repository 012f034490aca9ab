import config from "../../deno.json" with { type: "json" };

/** The unstable features that deno.json switches on, as flags: without a config file they must be named. */
export const UNSTABLE_FLAGS: readonly string[] = config.unstable.map((name) => `--unstable-${name}`);

/**
 * What the main program of the self-extracting form is started with. Nothing is read from the network or from the
 * user's folders: a deno.json or package.json where it is started, or above its cache folder, means nothing to it.
 */
export const DENO_FLAGS: readonly string[] = [
  "--allow-all",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--cached-only",
  "--node-modules-dir=none",
  // Every function is compiled when its module is, and so is in the code cache of the next start: 6 of 9 ms of
  // `tools ls` are the compiler otherwise.
  "--v8-flags=--no-lazy",
  ...UNSTABLE_FLAGS,
];
