export { DENO_FLAGS, UNSTABLE_FLAGS } from "../../src/engine/program_flags.ts";
