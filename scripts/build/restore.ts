// A module of its own: imports are evaluated in order, and main.ts must not see the variables of the header.
import { restoreEnvironment } from "../../src/engine/environment.ts";

restoreEnvironment(Deno.env);
