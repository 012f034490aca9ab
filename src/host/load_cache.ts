import { join } from "node:path";
import type { Fingerprint } from "./fingerprint.ts";
import { isRecord } from "./is_record.ts";

/** What a load found out about a module. */
export interface ModuleLoad {
  description: string;
  parameters: Record<string, unknown>;
  fingerprint: Fingerprint;
}

/** One entry of the cache. */
export interface CachedLoad extends ModuleLoad {
  /** What else the load depended on: source, rights, version. */
  key: string;
}

const FILE = "catalogue.json";

/** Raised when the shape or the meaning of an entry changes. */
const FORMAT = 1;

/**
 * Reads the catalogue cache (specification 2.2), by tool name.
 *
 * Whatever is wrong with the file is a miss: an empty map, or one without the broken entry.
 */
export function readLoadCache(stateDir: string): Map<string, CachedLoad> {
  try {
    const data: unknown = JSON.parse(Deno.readTextFileSync(join(stateDir, FILE)));
    if (!isRecord(data) || data.format !== FORMAT || !Array.isArray(data.tools)) return new Map();
    return new Map(data.tools.filter(isEntry));
  } catch {
    return new Map();
  }
}

/**
 * Writes the cache whole, by temporary file and rename, so that a reader sees the old one or the new one.
 *
 * @throws the error of the file system (a full disk); the old file stays.
 */
export function writeLoadCache(stateDir: string, entries: ReadonlyMap<string, CachedLoad>): void {
  const path = join(stateDir, FILE);
  const temporary = `${path}.${Deno.pid}.tmp`;
  try {
    Deno.writeTextFileSync(temporary, JSON.stringify({ format: FORMAT, tools: [...entries] }), {
      mode: 0o600,
    });
    Deno.renameSync(temporary, path);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It was not made.
    }
    throw error;
  }
}

function isEntry(value: unknown): value is [string, CachedLoad] {
  if (!Array.isArray(value) || typeof value[0] !== "string" || !isRecord(value[1])) return false;
  const { key, description, parameters, fingerprint } = value[1];
  return typeof key === "string" && typeof description === "string" && isRecord(parameters) &&
    isRecord(fingerprint) && typeof fingerprint.hash === "string" && Array.isArray(fingerprint.files) &&
    fingerprint.files.every((file) => typeof file === "string");
}
