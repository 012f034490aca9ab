import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar } from "yaml";
import { quote, shown } from "../quote.ts";
import { coreValue } from "./core_schema.ts";
import type { LineIndex } from "./line_index.ts";
import type { Located, LocatedMap, LocatedScalar } from "./located.ts";
import type { Problem } from "./problem.ts";

/** Values that all aliases of a file together may stand for: a bomb has 10^9. */
export const MAX_ALIASED_VALUES = 100_000;

const TAG = "tag:yaml.org,2002:";
const TEXT_TAGS = ["!", `${TAG}str`];
const TYPED_TAGS = ["int", "float", "bool", "null"].map((name) => TAG + name);
const KNOWN_TAGS = [...TEXT_TAGS, ...TYPED_TAGS, `${TAG}map`, `${TAG}seq`];

/**
 * Turns the YAML library's tree into {@link Located} values.
 *
 * Duplicate keys, unknown tags, complex keys and bad aliases become problems at their place and cost that value only:
 * it becomes NaN, which the manifest's schema takes nowhere, so that an alias of it is refused too.
 *
 * @param contents What the document holds; `null` = nothing.
 * @param lines For the line numbers in messages.
 */
export function locate(
  contents: ParsedNode | null,
  lines: LineIndex,
): { root: Located; problems: Problem[] } {
  const problems: Problem[] = [];
  /** What each anchor stands for; `undefined` while its value is being read. */
  const anchors = new Map<string, Located | undefined>();
  const sizes = new WeakMap<Located, number>();
  let aliased = 0;

  const report = (code: Problem["code"], message: string, offset: number, segments: readonly string[]) => {
    problems.push({ code, message, offset, segments });
  };
  const sizeOf = (located: Located): number => sizes.get(located) ?? 1;

  function valueOf(node: ParsedNode | null, path: readonly string[], emptyAt: number): Located {
    if (node === null) return empty(emptyAt, emptyAt);
    if (isAlias(node)) return aliasOf(node.source, node.range[0], node.range[1], path);
    const { anchor, tag, range } = node;
    if (anchor !== undefined) anchors.set(anchor, undefined);
    const unfit = tag !== undefined && !KNOWN_TAGS.includes(tag);
    if (unfit) {
      const written = shown(tag.startsWith(TAG) ? `!!${tag.slice(TAG.length)}` : tag);
      report("unknown_tag", `The tag \`${written}\` means nothing in a manifest: remove it.`, range[0], path);
    }
    const located = unfit
      ? broken(range[0], range[1])
      : isMap(node)
      ? mapOf(node.items as { key: ParsedNode | null; value: ParsedNode | null }[], range, path)
      : isSeq(node)
      ? listOf(node.items as (ParsedNode | null)[], range, path)
      : scalarOf(node as Scalar.Parsed);
    if (anchor !== undefined) anchors.set(anchor, located);
    return located;
  }

  function listOf(nodes: (ParsedNode | null)[], range: readonly number[], path: readonly string[]): Located {
    const [start = 0, end = 0] = range;
    const items = nodes.map((node, index) => valueOf(node, [...path, String(index)], start));
    const located: Located = { kind: "list", start, end, items, data: items.map((item) => item.data) };
    sizes.set(located, items.reduce((sum, item) => sum + sizeOf(item), 1));
    return located;
  }

  function mapOf(
    pairs: { key: ParsedNode | null; value: ParsedNode | null }[],
    range: readonly number[],
    path: readonly string[],
  ): Located {
    const [start = 0, end = 0] = range;
    const map: LocatedMap = { kind: "map", start, end, entries: new Map(), data: Object.create(null) };
    let size = 1;
    for (const { key, value } of pairs) {
      if (key !== null && !isScalar(key)) {
        const message = "A key must be plain text, not a list, a map or an alias.";
        report("complex_key", message, key.range[0], path);
        continue;
      }
      const name = key === null ? "" : textOf(key);
      const keyStart = key?.range[0] ?? start;
      const inner = [...path, name];
      const entry = { name, keyStart, value: valueOf(value, inner, key?.range[1] ?? start) };
      size += sizeOf(entry.value);
      const first = map.entries.get(name);
      if (first === undefined) {
        map.entries.set(name, entry);
        map.data[name] = entry.value.data;
        continue;
      }
      const both = `line ${lines.at(first.keyStart).line} and line ${lines.at(keyStart).line}`;
      report("duplicate_key", `${quote(name)} stands twice, on ${both}: remove one.`, keyStart, inner);
      first.value = broken(first.value.start, first.value.end);
      map.data[name] = first.value.data;
    }
    sizes.set(map, size);
    return map;
  }

  function aliasOf(name: string, start: number, end: number, path: readonly string[]): Located {
    const target = anchors.get(name);
    if (target === undefined) {
      if (anchors.has(name)) {
        report("alias_cycle", `\`*${shown(name)}\` stands inside the value of its own anchor.`, start, path);
      } else {
        report("alias_unknown", `\`*${shown(name)}\` names no anchor above it.`, start, path);
      }
      return broken(start, end);
    }
    const before = aliased;
    aliased += sizeOf(target);
    if (aliased > MAX_ALIASED_VALUES) {
      if (before <= MAX_ALIASED_VALUES) {
        report("alias_bomb", "The aliases up to here stand for too many values: write them out.", start, []);
      }
      return broken(start, end);
    }
    const located = { ...target, start, end };
    sizes.set(located, sizeOf(target));
    return located;
  }

  return { root: valueOf(contents, [], 0), problems };
}

function scalarOf(node: Scalar.Parsed): LocatedScalar {
  const text = textOf(node);
  const [start, end] = node.range;
  const typed = node.tag === undefined ? node.type === "PLAIN" : TYPED_TAGS.includes(node.tag);
  return { kind: "scalar", start, end, text, data: typed ? coreValue(text) : text };
}

/** What a scalar says, quotes and escapes resolved; a plain one as it is written. */
function textOf(node: Scalar.Parsed): string {
  return node.source ?? String(node.value ?? "");
}

/** The value of a key that has none. */
function empty(start: number, end: number): LocatedScalar {
  return { kind: "scalar", start, end, text: "", data: null };
}

/** What stands for a value that is wrong as YAML. */
function broken(start: number, end: number): LocatedScalar {
  return { kind: "scalar", start, end, text: "", data: NaN };
}
