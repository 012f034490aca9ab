import { grantedSecrets } from "../../agents/secrets.ts";
import { BeeuniError } from "../../errors/error.ts";
import { findManifest } from "../../manifest/find_manifest.ts";
import { readManifest } from "../../manifest/read.ts";
import { secretEntries, type SecretEntry } from "../../secrets/secret_entries.ts";
import {
  checkSecretValue,
  isTooShortToMask,
  MAX_SECRET_BYTES,
  tooLarge,
  valueFromStdin,
} from "../../secrets/secret_value.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { projectStateDirectory } from "../open_project.ts";
import type { Output } from "../output.ts";
import { withSecretStore } from "../secret_store.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Options of {@link secretsSet}. */
export interface SecretsSetOptions extends CommonOptions {
  /** `NAME=VALUE`, or `NAME=-`. */
  entries: string[];
}

/**
 * `beeuni secrets set NAME=VALUE… | NAME=-`: stores all of them, or none (specification 4.5).
 *
 * @throws {BeeuniError} `usage`, `no_manifest`, `secrets_key`, `unwritable`, `state_newer`, `state_database`.
 */
export async function secretsSet(
  { project, json, entries: args }: SecretsSetOptions,
  { output }: CommandContext,
): Promise<CommandResult> {
  const entries = secretEntries(args);
  const root = findManifest(project === undefined ? {} : { project });
  const values = new Map<string, string>();
  for (const { name, value } of entries) values.set(name, value ?? await readValue(name, output));
  for (const [name, value] of values) checkSecretValue(name, value);
  await withSecretStore(
    await projectStateDirectory(root),
    { create: true, change: true },
    (store) => store.set(values),
  );
  warn(values, output);
  tellUngranted(root, entries, output);
  const names = [...values.keys()];
  return {
    stdout: json ? jsonDocument({ set: names }) : names.map((name) => `set ${name}\n`).join(""),
    exitCode: 0,
  };
}

/** The value on stdin; no more is read than a value may have. */
async function readValue(name: string, output: Output): Promise<string> {
  if (Deno.stdin.isTerminal()) output.note(`Give the value of ${name}, then press Enter and Ctrl-D.`);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of Deno.stdin.readable) {
    chunks.push(chunk);
    length += chunk.length;
    // Two more: the final newline does not count.
    if (length > MAX_SECRET_BYTES + 2) throw tooLarge(name);
  }
  return valueFromStdin(name, new Uint8Array(await new Blob(chunks).arrayBuffer()));
}

function warn(values: ReadonlyMap<string, string>, output: Output): void {
  for (const [name, value] of values) {
    if (!isTooShortToMask(value)) continue;
    output.note(
      `beeuni: the value of ${name} has fewer than 8 characters, so it can't be masked in logs and errors.`,
    );
  }
}

/** The next thing to do, when nobody has the secret yet. */
function tellUngranted(root: string, entries: readonly SecretEntry[], output: Output): void {
  try {
    const agents = [...readManifest({ project: root }).agents.values()];
    for (const { name } of entries) {
      if (agents.some((agent) => grantedSecrets(agent, [name]).length > 0)) continue;
      output.note(
        `beeuni: no agent is granted ${name} yet: add it under agents.<name>.secrets in beeuni.yaml.`,
      );
    }
  } catch (error) {
    // The secret is stored. What is wrong with the manifest is told by the commands that need it.
    if (!(error instanceof BeeuniError)) throw error;
  }
}
