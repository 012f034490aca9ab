import { pathToFileURL } from "node:url";
import { checkDescription } from "./check_parameters.ts";
import { fingerprint } from "./fingerprint.ts";
import { isRecord } from "./is_record.ts";
import type { ModulePlace } from "./module_path.ts";
import type { LoadOutcome } from "./tool_loader.ts";

/**
 * Learns description and schema of a Beeuni tool by importing it here: it is our own code, imports only `node:*`
 * and has no side effect, so it needs neither a process nor a check of its schema (a test of ours has both). Its
 * calls run in the sandbox all the same.
 */
export async function loadBuiltin(place: ModulePlace): Promise<LoadOutcome> {
  try {
    const print = await fingerprint([place.path], place.roots);
    // The hash is for a developer who changes the file while a daemon runs: the same URL is imported once only.
    const module: unknown = await import(`${pathToFileURL(place.path).href}?${print.hash}`);
    const exported = isRecord(module) && isRecord(module.default) ? module.default : {};
    const { description, parameters } = exported;
    const reason = checkDescription(description);
    if (reason !== undefined || typeof description !== "string" || !isRecord(parameters)) {
      return { reason: reason ?? "its `parameters` are missing" };
    }
    return { load: { description, parameters, fingerprint: print } };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
