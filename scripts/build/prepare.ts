// A module of its own: imports are evaluated in order, and main.ts must see neither the variables of the header nor
// an engine that is not unpacked.
import { prepareEngine } from "../../src/engine/engine.ts";
import { restoreEnvironment } from "../../src/engine/environment.ts";

restoreEnvironment(Deno.env);
await prepareEngine();
