// deno-lint-ignore-file no-console -- a script talks to the person who started it
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import config from "../deno.json" with { type: "json" };
import { releaseNotes } from "./release/release_notes.ts";
import { sha256 } from "./build/sha256.ts";
import { TARGET_NAMES } from "./build/targets.ts";

const USAGE = `deno task release [--engine self-extracting|compile] [--output FOLDER]

Builds the executable for every target and writes, into an empty folder:
  beeuni-linux-x64, beeuni-linux-arm64   the files to publish
  SHA256SUMS                             their checksums, for \`sha256sum --check\`
  NOTES.md                               what CHANGELOG.md says about this version
It refuses a tree with changes: the version names the commit it is built from.
  --output   dist/release when left out`;

const ROOT = resolve(import.meta.dirname!, "..");

async function release(): Promise<void> {
  const { values } = parseArgs({
    options: {
      engine: { type: "string" },
      output: { type: "string", default: join(ROOT, "dist", "release") },
      help: { type: "boolean" },
    },
  });
  if (values.help) return console.log(USAGE);
  const { version } = config;
  const notes = releaseNotes(await Deno.readTextFile(join(ROOT, "CHANGELOG.md")), version);
  await refuseChanges();

  const output = resolve(values.output);
  await Deno.mkdir(output, { recursive: true });
  for await (const { name } of Deno.readDir(output)) {
    throw new Error(`${output} is not empty (${name}): remove it, or name another folder with --output.`);
  }
  const sums: string[] = [];
  for (const target of TARGET_NAMES) {
    const name = `beeuni-${target}`;
    const file = join(output, name);
    const engine = values.engine === undefined ? [] : ["--engine", values.engine];
    await run(Deno.execPath(), [
      "run",
      "-A",
      "scripts/build.ts",
      "--target",
      target,
      "--output",
      file,
      ...engine,
    ]);
    sums.push(`${sha256(await Deno.readFile(file))}  ${name}\n`);
  }
  await Deno.writeTextFile(join(output, "NOTES.md"), notes);
  await Deno.writeTextFile(join(output, "SHA256SUMS"), sums.join(""));
  console.log(`beeuni ${version} is in ${output}`);
}

async function refuseChanges(): Promise<void> {
  const command = new Deno.Command("git", { args: ["status", "--porcelain"], cwd: ROOT, stdin: "null" });
  const { success, stdout } = await command.output();
  if (!success) throw new Error("this is no Git clone: a release is built from a commit.");
  const changed = new TextDecoder().decode(stdout).trim();
  if (changed !== "") throw new Error(`these files have changes: commit them first.\n${changed}`);
}

async function run(program: string, args: string[]): Promise<void> {
  const command = new Deno.Command(program, { args, cwd: ROOT, stdin: "null" });
  const { success, code } = await command.spawn().status;
  if (!success) throw new Error(`the build ended with exit code ${code}.`);
}

try {
  await release();
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
