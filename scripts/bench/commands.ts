import { join } from "node:path";
import type { Figure } from "./figure.ts";
import type { Program } from "../program.ts";
import { HELLO } from "./hello.ts";
import { benchProject, smallTools } from "./project.ts";
import { timeInTurn } from "./time_process.ts";

const ROUNDS = 15;

/** `beeuni tools ls` on a small project, whole process. */
export async function measureToolsLs({ program, first }: Program): Promise<Figure[]> {
  using project = benchProject(smallTools(10));
  const time = await timeInTurn({
    hello: HELLO,
    ls: { program, args: [...first, "tools", "ls"], cwd: project.root },
  }, ROUNDS);
  return [{
    what: "`beeuni tools ls`, whole process",
    value: time.ls,
    unit: "ms",
    peer: { what: "`deno run` hello, whole process", value: time.hello },
    goal: { at: "most", limit: 2 },
  }];
}

/** `beeuni validate` on 1,000 and 10,000 tools in 50 imported files: ten times the tools. */
export async function measureValidate({ program, first }: Program): Promise<Figure[]> {
  using hundred = importedTools(100), thousand = importedTools(1000);
  const command = (cwd: string) => ({ program, args: [...first, "validate"], cwd });
  const time = await timeInTurn({ hundred: command(hundred.root), thousand: command(thousand.root) }, 5);
  return [{
    what: "`beeuni validate`, 1,000 tools in 50 imported files",
    value: time.thousand,
    unit: "ms",
    peer: { what: "100 tools", value: time.hundred },
    goal: { at: "most", limit: 12 },
  }];
}

/** A project that declares its tools in 50 imported files. */
function importedTools(count: number) {
  const project = benchProject({ first_tool: "export default {}" });
  Deno.mkdirSync(join(project.root, "imports"));
  const names = Object.keys(smallTools(count));
  for (let file = 0; file < 50; file++) {
    const own = names.filter((_, index) => index % 50 === file);
    for (const name of own) {
      Deno.writeTextFileSync(join(project.root, "tools", `${name}.ts`), "export default {}\n");
    }
    const lines = own.map((name) => `  ${name}: tools/${name}.ts\n`).join("");
    Deno.writeTextFileSync(
      join(project.root, "imports", `${String(file).padStart(2, "0")}.yaml`),
      `tools:\n${lines}`,
    );
  }
  Deno.writeTextFileSync(
    join(project.root, "beeuni.yaml"),
    "imports: [imports]\ntools:\n  memory: beeuni:memory\n  first_tool: tools/first_tool.ts\n",
  );
  return project;
}
