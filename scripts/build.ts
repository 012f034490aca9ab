// deno-lint-ignore-file no-console -- a script talks to the person who started it
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compiled } from "./build/compiled.ts";
import { makePayload } from "./build/payload.ts";
import { selfExtracting } from "./build/self_extracting.ts";
import { smokeTest } from "./build/smoke.ts";
import { targetOf } from "./build/targets.ts";

const USAGE =
  `deno task build [--target linux-x64|linux-arm64] [--engine self-extracting|compile] [--output FILE]

Writes one file that runs on a Linux with glibc, without Node, Deno or a network.
  --target   the machine it is for; this one when left out
  --engine   self-extracting: a shell header and an archive (needs sh, tar and gzip)
             compile: by \`deno compile\`; needs DENORT_BIN or a network
             left out: compile when DENORT_BIN is set, otherwise self-extracting
  --output   dist/beeuni when left out`;

const ROOT = resolve(import.meta.dirname!, "..");

async function build(): Promise<void> {
  const { values } = parseArgs({
    options: {
      target: { type: "string" },
      engine: { type: "string", default: Deno.env.get("DENORT_BIN") ? "compile" : "self-extracting" },
      output: { type: "string", default: join(ROOT, "dist", "beeuni") },
      help: { type: "boolean" },
    },
  });
  if (values.help) return console.log(USAGE);
  if (values.engine !== "self-extracting" && values.engine !== "compile") throw new Error(USAGE);
  const target = targetOf(values.target);
  const output = resolve(values.output);
  await Deno.mkdir(join(output, ".."), { recursive: true });

  const payload = await makePayload(ROOT, target);
  // Written beside its place and renamed: an executable that runs right now can't be overwritten.
  const fresh = `${output}.new`;
  try {
    if (values.engine === "compile") await compiled(payload, target, fresh);
    else await Deno.writeFile(fresh, await selfExtracting(payload, target));
    await Deno.chmod(fresh, 0o755);
    if (target.triple === Deno.build.target) await smokeTest(fresh, payload.record.version);
    else console.log(`not tried: a program for linux-${target.machine} does not run on this machine`);
    await Deno.rename(fresh, output);
  } catch (error) {
    await Deno.remove(fresh).catch(() => {});
    throw error;
  }
  const { size } = await Deno.stat(output);
  console.log(
    `${relative(Deno.cwd(), output)}: ${
      (size / 1e6).toFixed(1)
    } MB, linux-${target.machine}, ${values.engine}`,
  );
}

try {
  await build();
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
