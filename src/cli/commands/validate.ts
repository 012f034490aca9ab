import { escapeControls } from "../../log/escape_controls.ts";
import type { FindOptions } from "../../manifest/find_manifest.ts";
import type { Issue, Manifest, Position } from "../../manifest/model.ts";
import { quote } from "../../manifest/quote.ts";
import { readManifest } from "../../manifest/read.ts";
import { leftoverTools } from "../../manifest/rules/leftovers.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** What the tool host found wrong with the module of a tool (`validate --load`). */
export interface LoadFinding {
  /** Name of a tool of the manifest: the issue has its place. */
  tool: string;
  /** `error`: the module does not load; `warning`: a lint of its `parameters`. */
  severity: "error" | "warning";
  message: string;
}

/** Options of {@link validate}. */
export interface ValidateOptions extends FindOptions {
  json?: boolean;
  /** Colour the severities; never with `json`. */
  color?: boolean;
  /** `--load`: imports the modules in the sandbox. Not called for a manifest of which part is unknown. */
  load?: (manifest: Manifest) => Promise<LoadFinding[]>;
  /**
   * Names of the secrets that are set, or how to get them: a grant of another name is a warning (specification 4.5).
   * `undefined` = not known.
   */
  secretNames?: ReadonlySet<string> | ((manifest: Manifest) => Promise<ReadonlySet<string> | undefined>);
}

/**
 * `beeuni validate`: every rule of the manifest (specification 1.6).
 *
 * Exit code 0 without an error, 1 with one.
 *
 * @throws {BeeuniError} `no_manifest`
 */
export async function validate(options: ValidateOptions = {}): Promise<CommandResult> {
  const manifest = readManifest(options);
  const issues = [...manifest.issues, ...leftoverTools(manifest)];
  const { secretNames } = options;
  const names = typeof secretNames === "function" ? await secretNames(manifest) : secretNames;
  if (names !== undefined) issues.push(...unsetSecrets(manifest, names));
  if (options.load !== undefined && !manifest.incomplete) {
    issues.push(...(await options.load(manifest)).map((finding) => loadIssue(manifest, finding)));
  }
  const errors = issues.filter(({ severity }) => severity === "error");
  const warnings = issues.filter(({ severity }) => severity === "warning");
  const sorted = [...errors, ...warnings];
  const exitCode = errors.length > 0 ? 1 : 0;
  if (options.json) {
    const valid = errors.length === 0;
    return {
      stdout: jsonDocument({ valid, manifest: manifest.file, issues: sorted.map(issueDocument) }),
      exitCode,
    };
  }
  if (sorted.length === 0) {
    return { stdout: `${paint("✓", "green", options.color)} beeuni.yaml is valid\n`, exitCode };
  }
  const lines = sorted.map((issue) => issueLine(issue, options.color));
  const counts = [count(errors.length, "error"), count(warnings.length, "warning")].filter((text) =>
    text !== ""
  );
  return { stdout: [...lines, counts.join(", "), ""].join("\n"), exitCode };
}

function issueLine(
  { severity, file, line, column, path, message }: Issue,
  color: boolean | undefined,
): string {
  const word = paint(severity, severity === "error" ? "red" : "yellow", color);
  // A file as a whole has no path; a mark keeps the columns apart. A module's own message may have several lines.
  return `${word}  ${file}:${line}:${column}  ${path || "-"}  ${escapeControls(message)}`;
}

function issueDocument({ severity, code, path, message, file, line, column }: Issue): Issue {
  return { severity, code, path, message, file, line, column };
}

function count(number: number, what: string): string {
  return number === 0 ? "" : `${number} ${what}${number === 1 ? "" : "s"}`;
}

function unsetSecrets(manifest: Manifest, set: ReadonlySet<string>): Issue[] {
  return [...manifest.agents.values()].flatMap(({ name, secrets, secretPositions, position }) => {
    if (!Array.isArray(secrets)) return [];
    return secrets.flatMap((secret, index): Issue[] => {
      const place = secretPositions?.[index] ?? position;
      if (set.has(secret) || place === undefined) return [];
      return [{
        severity: "warning",
        code: "agent_secret_unset",
        path: `agents.${name}.secrets`,
        message: `${
          quote(secret)
        } is nowhere set: run \`beeuni secrets set ${secret}=-\`, or remove it here.`,
        ...place,
      }];
    });
  });
}

function loadIssue(manifest: Manifest, { tool, severity, message }: LoadFinding): Issue {
  const start: Position = { file: "beeuni.yaml", line: 1, column: 1 };
  const place = manifest.tools.find(({ name }) => name === tool)?.position ?? start;
  return {
    severity,
    code: severity === "error" ? "module_load" : "schema_lint",
    path: `tools.${tool}`,
    message,
    ...place,
  };
}

const COLORS = { red: 31, green: 32, yellow: 33 };

function paint(text: string, color: keyof typeof COLORS, enabled: boolean | undefined): string {
  return enabled ? `\x1b[${COLORS[color]}m${text}\x1b[0m` : text;
}
