import { join } from "node:path";
import { checkUsing } from "./check_using.ts";

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
  await Deno.mkdir(folder, { recursive: true });
  const before = new Set(scripts(folder));
  await denoBundle(root, entry, folder, ["--minify", ...splitting(options)]);
  const plain = await Deno.makeTempDir({ prefix: "beeuni-bundle-" });
  try {
    await denoBundle(root, entry, plain, splitting(options));
    const made = scripts(folder).filter((file) => !before.has(file));
    checkUsing(entry, scripts(plain).map(read), made.map(read));
  } finally {
    await Deno.remove(plain, { recursive: true });
  }
}

function splitting(options: BundleOptions): string[] {
  return options.splitting ? ["--code-splitting"] : [];
}

async function denoBundle(root: string, entry: string, folder: string, options: string[]): Promise<void> {
  const args = ["bundle", "--quiet", "--platform=browser", `--outdir=${folder}`, ...options];
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

function scripts(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".js"))
    .map((name) => join(folder, name));
}

function read(file: string): string {
  return Deno.readTextFileSync(file);
}
