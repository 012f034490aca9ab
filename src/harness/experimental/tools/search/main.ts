import type { SearchRequest } from "./messages.ts";
import { search } from "./search.ts";

// A process of its own for each search (run_search.ts): a pattern may take for ever, and only a process can be ended then.
const answer = search(JSON.parse(Deno.args[0] ?? "") as SearchRequest);
const bytes = new TextEncoder().encode(JSON.stringify(answer));
for (let written = 0; written < bytes.length;) written += Deno.stdout.writeSync(bytes.subarray(written));
