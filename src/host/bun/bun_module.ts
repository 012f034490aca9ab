import { BUN_SCHEME_MODULES, bunSchemeMessage } from "./bun_scheme.ts";
import { BUN_MODULE_NAMES } from "./module_names.ts";

/** JavaScript of the module behind `import … from "bun"`: the `Bun` global as default and every name of it. */
export function bunModuleSource(): string {
  return `const b=globalThis.Bun;export default b;export const {${BUN_MODULE_NAMES.join(",")}}=b;`;
}

/** JavaScript of the module behind a `bun:` specifier: has the names that are imported from it, and throws. */
function refusingModuleSource(specifier: string, exports: string): string {
  const names = exports === ""
    ? ""
    : `export const ${exports.split(" ").map((name) => `${name}=0`).join(",")};`;
  return `${names}export default 0;throw new Error(${JSON.stringify(bunSchemeMessage(specifier))});`;
}

/** A `data:` URL with this JavaScript: the import of one needs no read right. */
function dataModule(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

let bunUrl: string | undefined;

/** The `data:` URL that `bun` is mapped to. */
export function bunModuleUrl(): string {
  return bunUrl ??= dataModule(bunModuleSource());
}

/** The import map of the runner: `bun` and the public `bun:` modules. */
export function bunImportMap(): { imports: Record<string, string> } {
  const imports: Record<string, string> = { bun: bunModuleUrl() };
  for (const [specifier, { exports }] of Object.entries(BUN_SCHEME_MODULES)) {
    imports[specifier] = dataModule(refusingModuleSource(specifier, exports));
  }
  return { imports };
}
