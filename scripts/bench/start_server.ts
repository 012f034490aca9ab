/** A server process that prints its port on the first line. */
export interface ServerProcess extends AsyncDisposable {
  port: number;
}

/** Starts a server and waits for its port; it is ended with the object. */
export async function startServer(program: string, args: string[], cwd?: string): Promise<ServerProcess> {
  const child = new Deno.Command(program, {
    args,
    ...(cwd === undefined ? {} : { cwd }),
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let text = "";
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${program} ${args.join(" ")} ended before it listened`);
    text += value;
  }
  reader.cancel().catch(() => {});
  return {
    port: Number.parseInt(text, 10),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}
