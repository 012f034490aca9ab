/**
 * A YAML value with its place, and as plain data.
 *
 * `start` and `end` are offsets in UTF-16 units in the text of its file (without the BOM). What an alias stands for
 * has the place of the alias; the parts of it have theirs, below the anchor.
 */
export type Located = LocatedScalar | LocatedMap | LocatedList;

interface LocatedBase {
  start: number;
  end: number;
}

/** A scalar, typed by the core schema of YAML 1.2. */
export interface LocatedScalar extends LocatedBase {
  kind: "scalar";
  data: string | number | boolean | null;
  /** The text as written, quotes and escapes resolved. */
  text: string;
}

/** A map; a key's source text is its name. */
export interface LocatedMap extends LocatedBase {
  kind: "map";
  entries: Map<string, LocatedEntry>;
  /** The same without places. It has no prototype, so `__proto__` and the like are names as any other. */
  data: Record<string, unknown>;
}

/** One key with its value. */
export interface LocatedEntry {
  name: string;
  /** Where the key starts. */
  keyStart: number;
  value: Located;
}

/** A sequence. */
export interface LocatedList extends LocatedBase {
  kind: "list";
  items: Located[];
  data: unknown[];
}
