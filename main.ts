import { run } from "./src/cli/run.ts";

Deno.exit(await run(Deno.args));
