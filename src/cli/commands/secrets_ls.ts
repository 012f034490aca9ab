import { grantedSecrets } from "../../agents/secrets.ts";
import { readManifest } from "../../manifest/read.ts";
import type { CommonOptions } from "../command.ts";
import { projectStateDirectory } from "../open_project.ts";
import { withSecretStore } from "../secret_store.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** One secret as it is listed; never its value. */
interface Listed {
  name: string;
  /** ISO 8601, UTC. */
  updated: string;
  /** The agents that are granted it. */
  agents: string[];
}

/**
 * `beeuni secrets ls`: names, dates and which agents have them; never values, and no key is needed
 * (specification 4.5).
 *
 * @throws {BeeuniError} `no_manifest`, `unreadable`, `state_newer`, `state_database`.
 */
export async function secretsLs({ project, json }: CommonOptions): Promise<CommandResult> {
  const { root, agents } = readManifest(project === undefined ? {} : { project });
  const stored = await withSecretStore(
    await projectStateDirectory(root),
    {},
    (store) => store.list(),
  );
  const secrets = (stored ?? []).map(({ name, updated }): Listed => {
    const granted = [...agents.values()].filter((agent) => grantedSecrets(agent, [name]).length > 0);
    return { name, updated, agents: granted.map(({ name }) => name) };
  });
  return { stdout: json ? jsonDocument({ secrets }) : text(secrets), exitCode: 0 };
}

function text(secrets: readonly Listed[]): string {
  if (secrets.length === 0) return "(no secrets)\n";
  const width = Math.max(...secrets.map(({ name }) => name.length), "NAME".length) + 2;
  const lines = [
    `${"NAME".padEnd(width)}${"SET".padEnd(22)}AGENTS`,
    ...secrets.map(({ name, updated, agents }) =>
      `${name.padEnd(width)}${updated.replace(/\.\d+Z$/, "Z").padEnd(22)}${agents.join(", ") || "(none)"}`
    ),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
