import { join } from "node:path";

/** A project made for measuring. */
export interface BenchProject extends Disposable {
  root: string;
  /** For `BEEUNI_STATE_DIR`: empty at first. */
  state: string;
  tmp: string;
}

/** Modules by tool name. */
export type Modules = Record<string, string>;

/** Writes a project with these tools. */
export function benchProject(modules: Modules): BenchProject {
  const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "beeuni-bench-" }));
  const root = join(base, "project"), tmp = join(base, "tmp");
  Deno.mkdirSync(join(root, "tools"), { recursive: true });
  Deno.mkdirSync(tmp);
  const lines = Object.keys(modules).map((name) => `  ${name}: tools/${name}.ts\n`);
  Deno.writeTextFileSync(join(root, "beeuni.yaml"), `tools:\n${lines.join("")}`);
  for (const [name, text] of Object.entries(modules)) {
    Deno.writeTextFileSync(join(root, "tools", `${name}.ts`), text);
  }
  return {
    root,
    tmp,
    state: join(base, "state"),
    [Symbol.dispose]: () => Deno.removeSync(base, { recursive: true }),
  };
}

/** A module in the form of the published examples, with a body for `execute`. */
export function toolModule(body: string): string {
  return `export default {
  description: 'A tool for measuring.',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  async execute(args: { text?: string }, context: { signal: AbortSignal }): Promise<unknown> {
    ${body}
  },
}
`;
}

/** `count` small tools named `tool_000`, … */
export function smallTools(count: number): Modules {
  const module = toolModule("return args.text ?? 'done'");
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`tool_${String(n).padStart(3, "0")}`, module]),
  );
}
