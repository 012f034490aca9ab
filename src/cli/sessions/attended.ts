/** Whether somebody sits at the terminal who can be asked. */
export function isAttended(): boolean {
  return Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
}
