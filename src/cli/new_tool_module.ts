/**
 * The module that `beeuni tools new` writes: it loads and works as it is, and its comments say what each part is for.
 *
 * @param name A valid tool name.
 */
export function newToolModule(name: string): string {
  return `\
// The tool ${name}. Try it: beeuni tools call ${name} --args '{"text":"hello"}'

type Args = { text?: string }

type Context = {
  sessionId: string
  agent: string
  directory: string // the project's checkout
  env: Record<string, string | undefined> // variables, and the secrets this agent is granted
  signal: AbortSignal // aborts when the user stops the turn
}

export default {
  // The model reads this to decide when to call the tool.
  description: 'Describe what ${name} does and when to use it.',

  // JSON Schema of the arguments. The model gets it as it is; name the ones it must give in \`required\`.
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'Any text' },
    },
    required: [],
  },

  // Return a string or any JSON value: what the model needs, not a raw dump. A thrown error ends the call, and the
  // model reads its message, so say what to change. Pass context.signal to fetch, and read secrets from context.env.
  async execute(args: Args, _context: Context) {
    return \`${name} got \${args.text ?? 'no text'}\`
  },
}
`;
}
