/** The version of the machine's Node, as `20.20.2`; undefined where there is none. */
export async function nodeVersion(): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("node", { args: ["--version"] }).output();
    return success ? new TextDecoder().decode(stdout).trim().replace(/^v/, "") : undefined;
  } catch {
    return undefined;
  }
}
