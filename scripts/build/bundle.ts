import { join } from "node:path";

/** Options of {@link bundle}. */
export interface BundleOptions {
  /** Parts that are imported dynamically become files of their own, read when they are needed. */
  splitting?: boolean;
}

/**
 * Bundles one module and all it imports into `folder`, as JavaScript.
 *
 * For a browser, because `yaml` has an ES module build under that condition only: its CommonJS build takes 20 ms longer
 * to load. Modules of `node:` stay imports all the same. Minified, because the comments in a plain bundle name the
 * folders it was made in: the bytes would depend on the machine. Function names are not kept: the code that keeps them
 * took 4 % of the daemon's time.
 *
 * @param root The clone; its deno.json resolves the imports.
 * @throws {Error} with the bundler's own message.
 */
export async function bundle(
  root: string,
  entry: string,
  folder: string,
  options: BundleOptions = {},
): Promise<void> {
  const args = ["bundle", "--quiet", "--platform=browser", "--minify", `--outdir=${folder}`];
  if (options.splitting) args.push("--code-splitting");
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args, join(root, entry)],
    cwd: root,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
  });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(`${entry} can't be bundled:\n${new TextDecoder().decode(stderr).trim()}`);
}
