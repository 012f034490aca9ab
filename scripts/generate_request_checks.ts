// Writes the code that checks request bodies: `deno run -A scripts/generate_request_checks.ts`.
import { REQUEST_CHECKS, requestChecks } from "../src/daemon/request_checks_source.ts";

await Deno.writeTextFile(new URL("../src/daemon/request_checks.js", import.meta.url), requestChecks());
console.log(`wrote the checks of ${Object.keys(REQUEST_CHECKS).join(", ")}`);
