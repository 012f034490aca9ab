import process from "node:process";

/**
 * A module of node: by its name, at the moment it is needed: loading `node:crypto` alone takes longer than starting a
 * worker may. Taken before tool code runs, which may replace `process.getBuiltinModule`.
 */
export const builtin: typeof process.getBuiltinModule = process.getBuiltinModule.bind(process);
