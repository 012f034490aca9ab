import { join, relative, resolve } from "node:path";
import { BeeuniError } from "../errors/error.ts";

/**
 * The folder a call names as its directory, as an absolute path below the project root (specification 2.7).
 *
 * Links are followed before it is decided whether the folder lies inside, so neither `..` nor a link leads out; and
 * the project may itself be reached through a link: a client may name it by either path.
 *
 * @param root Absolute path of the project root, as the host knows it.
 * @param directory As the client sent it; a relative path starts at the root.
 * @throws {BeeuniError} `bad_request` when it is not a folder or lies outside.
 */
export async function checkoutDirectory(root: string, directory: string): Promise<string> {
  if (directory === root) return root;
  let inside: string;
  try {
    const realRoot = await Deno.realPath(root);
    const real = await Deno.realPath(resolve(root, directory));
    inside = relative(realRoot, real);
    if (!(await Deno.stat(real)).isDirectory) throw new Error("not a directory");
  } catch (cause) {
    throw new BeeuniError("bad_request", "`directory` is not a folder in the checkout.", { cause });
  }
  if (inside === ".." || inside.startsWith("../")) {
    throw new BeeuniError("bad_request", "`directory` is outside the checkout.");
  }
  return join(root, inside);
}
