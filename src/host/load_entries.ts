import type { CatalogueEntry } from "./project_catalogue.ts";
import type { PlannedTool, ToolPlan } from "./runner_plan.ts";
import type { LoadOutcome, LoadTask, ToolLoader } from "./tool_loader.ts";

/** A catalogue entry as plans are made from it. */
export function plannedTool(
  { entry, settings, revision, layout, load, place }: CatalogueEntry,
): Omit<PlannedTool, "alone"> {
  const modules = load === undefined ? [] : [...load.fingerprint.files, ...place.nodeModules];
  return { entry, settings, revision, layout, modules };
}

/**
 * Loads catalogue entries.
 *
 * @param plans Of each, by name.
 * @param onOutcome Called once per entry.
 */
export function loadEntries(
  loader: ToolLoader,
  entries: readonly CatalogueEntry[],
  plans: ReadonlyMap<string, ToolPlan>,
  onOutcome: (entry: CatalogueEntry, outcome: LoadOutcome) => void,
): Promise<void> {
  const tasks = new Map<LoadTask, CatalogueEntry>();
  for (const entry of entries) {
    const plan = plans.get(entry.entry.name);
    if (plan !== undefined) tasks.set({ plan, place: entry.place }, entry);
  }
  return loader.load([...tasks.keys()], (task, outcome) => {
    const entry = tasks.get(task);
    if (entry !== undefined) onOutcome(entry, outcome);
  });
}
