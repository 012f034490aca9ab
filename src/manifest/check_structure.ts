import type { Located, LocatedMap } from "./parse/located.ts";
import type { Problem } from "./parse/problem.ts";
import { type StructureError, validate } from "./structure_check.js";
import { findingFor } from "./structure_rules.ts";

/**
 * What in one file does not fit the manifest's JSON Schema, one problem per place.
 *
 * The verdict is ajv's; a message comes from the rule for the place. A key that is wrong says all about its entry.
 */
export function checkStructure(root: LocatedMap): Problem[] {
  if (validate(root.data)) return [];
  const problems = new Map<string, Problem>();
  const places = (validate.errors ?? []).map(placeOf);
  const badKeys = new Set(places.filter(({ key }) => key).map(({ segments }) => JSON.stringify(segments)));
  for (const { segments, key } of places) {
    const id = JSON.stringify(segments);
    if (!key && leadsThrough(badKeys, segments)) continue;
    if (problems.has(id)) continue;
    const { value, keyStart, inList } = follow(root, segments);
    const offset = key || value.start === value.end ? keyStart : value.start;
    problems.set(id, { ...findingFor({ segments, value, inList }, key), offset, segments });
  }
  return [...problems.values()];
}

/** The place an error is about, and whether it is the key there or the value. */
function placeOf(error: StructureError): { segments: string[]; key: boolean } {
  const segments = error.instancePath.split("/").slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const name = error.propertyName ?? error.params.propertyName ?? error.params.additionalProperty;
  return typeof name === "string" ? { segments: [...segments, name], key: true } : { segments, key: false };
}

function leadsThrough(badKeys: ReadonlySet<string>, segments: readonly string[]): boolean {
  return badKeys.size > 0 &&
    segments.some((_, index) => badKeys.has(JSON.stringify(segments.slice(0, index + 1))));
}

/** The value at the end of a path that exists, where its key (or itself) starts, and whether it is in a list. */
function follow(
  root: Located,
  segments: readonly string[],
): { value: Located; keyStart: number; inList: boolean } {
  let found = { value: root, keyStart: root.start, inList: false };
  for (const segment of segments) {
    const { value } = found;
    if (value.kind === "map") {
      const entry = value.entries.get(segment);
      if (entry === undefined) break;
      found = { value: entry.value, keyStart: entry.keyStart, inList: false };
    } else if (value.kind === "list") {
      const item = value.items[Number(segment)];
      if (item === undefined) break;
      found = { value: item, keyStart: item.start, inList: true };
    }
  }
  return found;
}
