import type { Project } from "./project.ts";

/** Variables that the program and its runtime need from the outside. */
const PASSED = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME", "LANG"];

/** A clean environment for a `beeuni` command on a project: nothing of the tester's own leaks in. */
export function testEnvironment(
  project: Project,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of PASSED) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  return { ...env, TMPDIR: project.tmp, BEEUNI_STATE_DIR: project.state, NO_COLOR: "1", ...more };
}
