import { below, parentFolder } from "../paths.ts";

/** What a test project has: text or bytes of files by path, and links (their targets as written). */
export interface TempProjectFiles {
  [path: string]: string | Uint8Array | { link: string };
}

/** A project in a temporary folder, removed with it. For tests. */
export class TempProject implements Disposable {
  /** Absolute path of the project, without links. */
  readonly root: string;
  readonly #folder: string;

  constructor(files: TempProjectFiles) {
    this.#folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "beeuni-manifest-" }));
    this.root = `${this.#folder}/project`;
    Deno.mkdirSync(this.root);
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  /** Writes a file; a path that starts with `../` is beside the project. */
  write(path: string, content: TempProjectFiles[string]): void {
    const absolute = this.path(path);
    Deno.mkdirSync(parentFolder(absolute), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(absolute, content);
    else if (content instanceof Uint8Array) Deno.writeFileSync(absolute, content);
    else Deno.symlinkSync(content.link, absolute);
  }

  /** Absolute path of a project file. */
  path(relative: string): string {
    return relative.startsWith("../") ? below(this.#folder, relative.slice(3)) : below(this.root, relative);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#folder, { recursive: true });
  }
}
