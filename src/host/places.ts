/** Where a project and what belongs to its host lie. All paths are absolute and normalised. */
export interface Places {
  /** The project root as it was named. */
  root: string;
  /** The same with every link resolved. */
  realRoot: string;
  /** `node_modules` folders above the project that exist, by both names where these differ. */
  nodeModulesAbove: string[];
  /** `<tmp>/beeuni-tool-output`. */
  spillRoot: string;
  /** Folder of the Beeuni tools' modules. */
  beeuniTools: string;
  /** Folder of the runner's files. */
  engine: string;
  /** What tools may neither read nor write, wherever it lies: the state directory, Deno's cache, the env file. */
  secret: string[];
}

/** The names under which tools know the project root: as it was named, and as it really lies. */
export function rootNames(places: Pick<Places, "root" | "realRoot">): string[] {
  return places.root === places.realRoot ? [places.root] : [places.root, places.realRoot];
}
