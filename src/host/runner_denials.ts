import { join } from "node:path";
import { deniedLinks, type ProjectLink } from "./link_rules.ts";
import { isInside } from "./path_inside.ts";
import { type Places, rootNames } from "./places.ts";

/** What decides the denied paths of a runner. */
export interface RunnerDenialsInput {
  places: Places;
  /** Write-protected paths relative to the root, from `protectedFor`. */
  protectedPaths: readonly string[];
  links: readonly ProjectLink[];
  /** What the tools' settings name below the root, relative to it. */
  named: { read: readonly string[]; write: readonly string[] };
  /** Real paths of what may be read, and be written, outside the project. */
  readable: readonly string[];
  writable: readonly string[];
}

/** Absolute paths that a runner may not read, and not write, whatever its lists say (specification 2.4). */
export function runnerDenials(input: RunnerDenialsInput): { read: string[]; write: string[] } {
  const { places } = input;
  const names = rootNames(places);
  const hidden = places.secret;
  // Nothing may change what our processes run, wherever it lies.
  const fixed = [...hidden, places.engine, places.beeuniTools];
  const below = (paths: readonly string[]) => {
    return paths.flatMap((path) => {
      return names.filter((root) => isInside(path, root)).map((root) => path.slice(root.length + 1));
    });
  };
  const denyRead = below(hidden);
  const denyWrite = [...below(fixed), ...input.protectedPaths];
  const links = deniedLinks({
    links: input.links,
    realRoot: places.realRoot,
    readable: input.readable,
    writable: input.writable,
    hidden,
    denyRead,
    denyWrite,
    grantedRead: input.named.read,
    grantedWrite: input.named.write,
  });
  const everyName = (paths: readonly string[]) =>
    names.flatMap((root) => paths.map((path) => join(root, path)));
  return {
    read: [...hidden, ...everyName([...denyRead, ...links.read])],
    write: [...fixed, ...everyName([...denyWrite, ...links.write])],
  };
}
