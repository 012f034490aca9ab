import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyFolder } from "./copy_folder.ts";

/** Where a {@link Project} comes from. */
export interface ProjectOptions {
  /** Folder below `fixtures/` that is copied. */
  fixture?: string;
  /** Files to write on top, by path relative to the project root. */
  files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A project in a temporary folder of its own, with places beside it for what a daemon and a test need. */
export class Project implements Disposable {
  /** The folder around everything; removed with the project. */
  readonly base: string;
  /** The project root, the folder of `beeuni.yaml`. */
  readonly root: string;
  /** For `BEEUNI_STATE_DIR`. */
  readonly state: string;
  /** For the daemon's `TMPDIR`. */
  readonly tmp: string;
  /** A folder no tool may touch. */
  readonly outside: string;

  constructor(options: ProjectOptions = {}) {
    this.base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "beeuni-test-" }));
    this.root = join(this.base, "project");
    this.state = join(this.base, "state");
    this.tmp = join(this.base, "tmp");
    this.outside = join(this.base, "outside");
    for (const folder of [this.root, this.tmp, this.outside]) Deno.mkdirSync(folder);
    if (options.fixture !== undefined) copyFolder(fixtureFolder(options.fixture), this.root);
    for (const [path, content] of Object.entries(options.files ?? {})) this.write(path, content);
  }

  /** Absolute path of something below the root. */
  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  /** Writes a file below the root, with the folders it needs; answers its absolute path. */
  write(path: string, content: string | Uint8Array): string {
    const file = this.path(path);
    Deno.mkdirSync(dirname(file), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(file, content);
    else Deno.writeFileSync(file, content);
    return file;
  }

  read(path: string): string {
    return Deno.readTextFileSync(this.path(path));
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.base, { recursive: true });
  }
}

function fixtureFolder(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
}
