import { join } from "node:path";

/** Copies what is in one folder into another that exists; links are copied as links. */
export function copyFolder(from: string, to: string): void {
  for (const entry of Deno.readDirSync(from)) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory) {
      Deno.mkdirSync(target, { recursive: true });
      copyFolder(source, target);
    } else if (entry.isSymlink) {
      Deno.symlinkSync(Deno.readLinkSync(source), target);
    } else {
      Deno.copyFileSync(source, target);
    }
  }
}
