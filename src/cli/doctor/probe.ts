/**
 * The tool that `beeuni doctor` runs in the sandbox: it tries what no tool may do, and tells how that ended.
 *
 * It is text because it is written into a project of its own, like any tool. It answers
 * `{ refused: boolean, name: string, message: string }`, the last two of the error.
 */
export const PROBE_MODULE = `
const attempts = {
  answer: () => 'it ran',
  read: ({ path }) => Deno.readTextFileSync(path),
  write: ({ path }) => Deno.writeTextFileSync(path, 'x'),
  run: ({ program }) => new Deno.Command(program, { args: ['--version'] }).outputSync(),
  connect: async ({ hostname, port }) => {
    const connection = await Deno.connect({ hostname, port })
    connection.close()
  },
  library: () => Deno.dlopen('libc.so.6', {}),
  environment: ({ name }) => {
    if (process.env[name] !== undefined || Deno.env.get(name) !== undefined) return name
    throw new Error('not there')
  },
  import: async ({ path }) => await import(path),
  exit: () => Deno.exit(0),
}

export default {
  description: 'Tries what a tool may not do.',
  parameters: { type: 'object', properties: { attempt: { type: 'string' } }, required: ['attempt'] },
  async execute({ attempt, ...details }) {
    try {
      await attempts[attempt](details)
      return { refused: false, name: '', message: 'it was allowed' }
    } catch (error) {
      return { refused: true, name: error.name, message: error.message }
    }
  },
}
`;

/** A tool that never ends by itself. */
export const LOOP_MODULE = `
export default {
  description: 'Never ends.',
  parameters: { type: 'object', properties: {} },
  execute() { for (;;); },
}
`;

/** Manifest of the project both run in. */
export const PROBE_MANIFEST = `
tools:
  probe: probe.ts
  loop: loop.ts
`;
