import { BeeuniError } from "../../errors/error.ts";
import { below, parentFolder } from "../paths.ts";
import { inspectPath, type ProjectRoot } from "../project_path.ts";
import { quote } from "../quote.ts";

/**
 * Where a module of the project may be written: its absolute path without links (specification 1.8).
 *
 * @param relative Repo-relative path of the module; its folder need not exist.
 * @throws {BeeuniError} `unwritable` when it, or a folder on the way, is a link that leaves the repository.
 */
export function moduleTarget(root: ProjectRoot, relative: string): string {
  const refuse = (): never => {
    throw new BeeuniError(
      "unwritable",
      `${quote(relative)} is reached through a symlink that leaves the repository.`,
    );
  };
  const own = inspectPath(root, relative);
  if (own.kind === "file" || own.kind === "directory") return own.real;
  if (own.kind === "outside" || isLink(below(root.path, relative))) return refuse();
  const folder = parentFolder(`/${relative}`).slice(1);
  if (folder === "") return below(root.real, relative);
  const name = relative.slice(folder.length + 1);
  return `${moduleTarget(root, folder)}/${name}`;
}

/** A link to nothing: what would be written there could be anywhere. */
function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}
