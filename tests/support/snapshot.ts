import { join, relative } from "node:path";

/**
 * Everything below some folders, as lines to compare: path, mode, time of change, and content or link target. What
 * `skip` names (absolute) is left out.
 */
export function snapshot(folders: readonly string[], skip: readonly string[] = []): string[] {
  const lines: string[] = [];
  const walk = (folder: string, root: string) => {
    for (const entry of Deno.readDirSync(folder)) {
      const path = join(folder, entry.name);
      if (skip.includes(path)) continue;
      const info = Deno.lstatSync(path);
      const content = entry.isSymlink
        ? `-> ${Deno.readLinkSync(path)}`
        : entry.isFile
        ? new TextDecoder("latin1").decode(Deno.readFileSync(path))
        : "";
      // The time of a folder is left out: it changes with what may be written beside.
      const time = entry.isFile ? info.mtime?.getTime() : "";
      lines.push(`${relative(root, path)} ${(info.mode ?? 0).toString(8)} ${time} ${content}`);
      if (entry.isDirectory) walk(path, root);
    }
  };
  for (const folder of folders) walk(folder, join(folder, ".."));
  return lines.sort();
}
