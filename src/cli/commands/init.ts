import { BeeuniError } from "../../errors/error.ts";
import { MANIFEST_NAME } from "../../manifest/find_manifest.ts";
import { absolutePath, below } from "../../manifest/paths.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** The published `tools:` block, character for character, and the agent it is for. */
export const NEW_MANIFEST = `\
tools:
  web_search: beeuni:web_search      # maintained by Beeuni, updated automatically
  image_search: beeuni:image_search
  scrape_webpage: beeuni:scrape_webpage
  memory: beeuni:memory
  show: beeuni:show
  # lookup_order: tools/lookup_order.ts   # your own tool: a module in your repo

agents:
  beeuni:
    tools: all
    secrets: all
`;

/** Options of {@link init}. */
export interface InitOptions {
  /** Absolute path; default the process's working directory. */
  cwd?: string;
  /** The folder to write in; default `cwd`. It must exist. */
  project?: string;
  json?: boolean;
}

/**
 * `beeuni init`: writes a new manifest (specification 1.9).
 *
 * @throws {BeeuniError} `file_exists`, also for a link that leads nowhere; `unwritable`.
 */
export function init(options: InitOptions = {}): CommandResult {
  const folder = absolutePath(options.cwd ?? Deno.cwd(), options.project ?? ".");
  const file = below(folder, MANIFEST_NAME);
  try {
    Deno.writeTextFileSync(file, NEW_MANIFEST, { createNew: true });
  } catch (cause) {
    throw refusal(cause, folder);
  }
  const stdout = options.json ? jsonDocument({ wrote: file }) : `  wrote   ${MANIFEST_NAME}\n`;
  return { stdout, exitCode: 0 };
}

function refusal(cause: unknown, folder: string): BeeuniError {
  if (cause instanceof Deno.errors.AlreadyExists) {
    return new BeeuniError("file_exists", `${MANIFEST_NAME} exists in ${folder}.`, {
      hint: "Change that one, or delete it first.",
      cause,
    });
  }
  const missing = cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory;
  const reason = missing ? `${folder} is not a folder` : "the system refused it";
  return new BeeuniError("unwritable", `${MANIFEST_NAME} can't be written: ${reason}.`, { cause });
}
