// Writes the code that checks request bodies: `deno run -A scripts/generate_request_checks.ts`.
import { requestChecks } from "../src/daemon/request_checks_source.ts";

await Deno.writeTextFile(new URL("../src/daemon/request_checks.js", import.meta.url), requestChecks());
