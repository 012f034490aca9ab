import { BeeuniError } from "../../errors/error.ts";
import type { Manifest } from "../../manifest/model.ts";
import { BASE_URL_VARIABLE, modelBaseUrl } from "../../models/model_base_url.ts";
import { PROVIDERS } from "../../models/providers.ts";
import { resolveModel } from "../../models/resolve_model.ts";
import type { ModelSources } from "../../models/types.ts";
import type { Check } from "./check.ts";

/**
 * Whether sessions have a model to talk to: that of each agent, else what `--model` could name (specification 4.2).
 * Nothing is asked of a provider, and no key is shown.
 *
 * @param manifest `undefined` where there is no project, or its manifest can't be read.
 */
export function checkModel(manifest: Pick<Manifest, "agents"> | undefined, sources: ModelSources): Check {
  const name = "model";
  const agents = [...manifest?.agents.values() ?? []].filter(({ model }) => model !== undefined);
  const byModel = Map.groupBy(agents, ({ model }) => model ?? "");
  const problems: string[] = [];
  const found: string[] = [];
  for (const [model, users] of byModel) {
    const who = users.map((agent) => agent.name).join(", ");
    const reason = problemOf(() => void resolveModel(model, sources));
    if (reason === undefined) found.push(`${model} (${who})`);
    else problems.push(`${reason} (${who})`);
  }
  if (problems.length > 0) return { name, status: "warning", detail: problems.join("; ") };
  if (found.length > 0) return { name, status: "ok", detail: found.join("; ") };
  return anyModel(name, sources);
}

/** No agent names one: what `--model` can name. */
function anyModel(name: string, sources: ModelSources): Check {
  const base = sources.env(BASE_URL_VARIABLE)?.trim();
  if (base) {
    const reason = problemOf(() => void modelBaseUrl(base));
    return reason === undefined
      ? { name, status: "ok", detail: `any that --model names, at ${new URL(base).origin}` }
      : { name, status: "warning", detail: reason };
  }
  const providers = Object.entries(PROVIDERS).filter(([, { keys }]) =>
    keys.some((key) => sources.env(key) || secretOf(sources, key))
  ).map(([provider]) => provider);
  if (providers.length > 0) {
    return { name, status: "ok", detail: `--model has to name one of: ${providers.join(", ")}` };
  }
  const reason = problemOf(() => void resolveModel(undefined, sources)) ?? "none";
  return { name, status: "warning", detail: `${reason}: sessions can't run` };
}

function secretOf(sources: ModelSources, name: string): string | undefined {
  try {
    return sources.secret(name);
  } catch {
    // What is wrong with the secrets is told where they are used.
    return undefined;
  }
}

function problemOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof BeeuniError) return error.message.replace(/\.$/, "");
    throw error;
  }
}
