/** Where the program that runs the runners is (specification 5.2). */
export interface Engine {
  /** Absolute path of a Deno CLI. */
  deno: string;
  /** Absolute path of the folder with the runner's files; a runner may read it. */
  directory: string;
  /** Absolute path of the runner's entry, of the import map, and of the folder of the Beeuni tools' modules. */
  runner: string;
  importMap: string;
  tools: string;
  /** How this program came to be here. */
  built: "source" | "self-extracting" | "compiled";
  version: string;
  /** The commit it was built from; `unknown` from source without git. */
  commit: string;
}
