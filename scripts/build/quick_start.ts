/** Imports of one name that a stand-in of stand_ins.js takes the place of. */
const NAMED: Readonly<Record<string, string>> = {
  "node:events EventEmitter": "StandInEventEmitter",
  "node:util stripVTControlCharacters": "standInStripVTControlCharacters",
};

/** Modules that are loaded when they are first used, where a whole one is imported. */
const LATE = /^node:(?:child_process|fs|path|process)$/;

const IMPORT = /\bimport ?(?:(\w+|\$\w*)|\{ ?(\w+) as ([\w$]+) ?\}) ?from ?"(node:\w+)"/g;

/**
 * Takes the imports that only cost time from the program's first chunk, which every command loads.
 *
 * @param chunk Minified JavaScript of the bundle.
 * @param standIns Text of stand_ins.js.
 */
export function quickStart(chunk: string, standIns: string): string {
  const code = chunk.replace(IMPORT, (whole, module?: string, name?: string, local?: string, from = "") => {
    if (module !== undefined) return LATE.test(from) ? `const ${module}=standInModule("${from}")` : whole;
    const standIn = NAMED[`${from} ${name}`];
    return standIn === undefined ? whole : `const ${local}=${standIn}`;
  });
  return `${standIns}\n${code}`;
}

/**
 * Hides what a chunk imports dynamically from Deno, which otherwise reads and analyses every chunk of the program at
 * each start, also those of other commands.
 */
export function lateImports(chunk: string): string {
  const code = chunk.replace(/\bimport\((?="\.\/)/g, "import(beside+");
  return code === chunk ? chunk : `const beside="";${code}`;
}

/** Functions of node: modules whose load costs a start more than 5 ms, and which most runs of the program never call. */
const LATE_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  "node:crypto": [
    "createCipheriv",
    "createDecipheriv",
    "createHash",
    "createHmac",
    "randomBytes",
    "randomUUID",
    "timingSafeEqual",
  ],
  "node:fs": ["existsSync"],
  "node:util": ["parseEnv"],
};

const NAMED_IMPORT = /\bimport ?\{([^{}]+)\} ?from ?"(node:\w+)";?/g;

/**
 * Has functions of some built-in modules find their module when they are called: `node:crypto` alone takes a daemon's
 * start longer than a whole hello world. An import of anything else in the same line leaves it as it is.
 */
export function lateFunctions(chunk: string): string {
  return chunk.replace(NAMED_IMPORT, (whole, list: string, from: string) => {
    const names = list.split(",").map((item) => item.trim().split(" as "));
    if (!names.every(([name = ""]) => LATE_FUNCTIONS[from]?.includes(name))) return whole;
    // Function declarations, as these are there from the start of the module, like imports.
    return names.map(([name = "", local = name]) =>
      `function ${local}(...a){return globalThis.process.getBuiltinModule("${from}").${name}(...a)}`
    ).join("");
  });
}
