import assert from "node:assert/strict";
import { join } from "node:path";
import { startOrdersApi } from "../orders/api.ts";
import { copyOrdersProject } from "../orders/copy_project.ts";

/** How one start of the executable ended. */
interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Tries the finished executable with real calls on the fixture project: version, load, call, refuse, abort, spill.
 *
 * It starts with an empty environment and an empty home folder, so that it has nothing but what it carries.
 *
 * @param program Absolute path of the executable.
 * @throws {AssertionError} with what it answered, when that is not what was asked.
 */
export async function smokeTest(program: string, version: string): Promise<void> {
  using project = copyOrdersProject();
  await using api = startOrdersApi(project.root);
  for (const name of ["home", "tmp"]) Deno.mkdirSync(join(project.base, name));
  const start = (args: string[]): Deno.ChildProcess =>
    new Deno.Command(program, {
      args,
      cwd: project.root,
      clearEnv: true,
      env: {
        PATH: "/usr/bin:/bin",
        HOME: join(project.base, "home"),
        TMPDIR: join(project.base, "tmp"),
        ORDERS_ORIGIN: api.origin,
      },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  const run = async (...args: string[]): Promise<Run> => await ended(start(args));
  const call = (tool: string, args: unknown) => run("tools", "call", tool, "--args", JSON.stringify(args));

  const answer = await run("--version");
  assert.ok(answer.code === 0 && answer.stdout.includes(version), said("--version", answer));

  const load = await run("validate", "--load");
  assert.ok(load.code === 0 && load.stdout.startsWith("✓ beeuni.yaml is valid"), said("load", load));

  const total = await call("order_total", { id: "A-1042" });
  assert.ok(total.code === 0 && total.stdout.trim() === "19.98 EUR", said("call", total));

  const refused = await call("break_out", { how: "read_outside" });
  assert.ok(
    refused.code === 1 && refused.stdout === "" && /may not read/.test(refused.stderr),
    said("refuse", refused),
  );

  const waiting = start(["tools", "call", "wait_for_delivery", "--args", '{"id":"A-1042"}']);
  const aborted = ended(waiting);
  await Promise.race([api.waiting, aborted]);
  waiting.kill("SIGINT");
  const end = await aborted;
  assert.equal(end.code, 130, said("abort", end));

  const spilled = await call("export_orders", { rows: 5000 });
  const file = /\[Output truncated: \d+ bytes, 5000 lines\. The whole output is in ([^;]+);/.exec(
    spilled.stdout,
  )?.[1];
  assert.ok(spilled.code === 0 && file !== undefined, said("spill", spilled));
  assert.equal((await Deno.readTextFile(file)).trimEnd().split("\n").length, 5000);
}

async function ended(child: Deno.ChildProcess): Promise<Run> {
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

function said(step: string, { code, stdout, stderr }: Run): string {
  return `smoke test, ${step}: exit ${code}\n${stdout.slice(-2000)}${stderr.slice(-2000)}`;
}
