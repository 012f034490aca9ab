import { isInside, isInsideAny } from "./path_inside.ts";

/** One link below the project root. */
export interface ProjectLink {
  /** Where it stands, relative to the real root. */
  path: string;
  /** What it resolves to, absolute, every link resolved; undefined when it leads nowhere. */
  target: string | undefined;
}

/** What decides which links are dangerous. Paths relative to the root unless said otherwise. */
export interface LinkRulesInput {
  links: readonly ProjectLink[];
  /** Real path of the project root, absolute. */
  realRoot: string;
  /** Real paths outside the project that may be read, and be written, absolute. */
  readable: readonly string[];
  writable: readonly string[];
  /** Real paths that a link may neither lead to nor around, wherever they lie, absolute. */
  hidden: readonly string[];
  /** What below the root may not be read, and not be written. */
  denyRead: readonly string[];
  denyWrite: readonly string[];
  /** Paths that `tool_settings` grant by name: a link that stands there was meant. */
  grantedRead: readonly string[];
  grantedWrite: readonly string[];
}

/**
 * The links that have to join a runner's denied paths, relative to the root (specification 2.4).
 *
 * Deno follows a link inside an allowed folder without a check and compares paths as written. So a link is denied
 * when it leads out of what may be used, leads nowhere yet, or leads to or around something denied: what stands
 * below `alias -> .` could be reached as `alias/.git` otherwise. A link that is denied makes the links around it
 * dangerous in turn (`a -> sub` with `sub/b -> /etc` reaches `/etc` as `a/b`).
 */
export function deniedLinks(input: LinkRulesInput): { read: string[]; write: string[] } {
  return {
    read: spread(input, input.readable, input.denyRead, input.grantedRead),
    write: spread(input, input.writable, input.denyWrite, input.grantedWrite),
  };
}

function spread(
  input: LinkRulesInput,
  outside: readonly string[],
  denied: readonly string[],
  granted: readonly string[],
): string[] {
  const all = [...denied];
  const found: string[] = [];
  let open = input.links.filter((link) => !granted.includes(link.path) && !isInsideAny(link.path, denied));
  const deny = (dangerous: (link: ProjectLink) => boolean): boolean => {
    const hit = open.filter(dangerous);
    if (hit.length === 0) return false;
    open = open.filter((link) => !hit.includes(link));
    for (const link of hit) {
      all.push(link.path);
      found.push(link.path);
    }
    return true;
  };
  deny(({ target }) => {
    if (target === undefined) return true;
    if (input.hidden.some((path) => isInside(path, target) || isInside(target, path))) return true;
    return !isInside(target, input.realRoot) && !isInsideAny(target, outside);
  });
  while (
    deny(({ target }) => {
      if (target === undefined || !isInside(target, input.realRoot)) return false;
      const inside = target.slice(input.realRoot.length + 1);
      return all.some((path) => inside === "" || isInside(path, inside) || isInside(inside, path));
    })
  );
  return found;
}
