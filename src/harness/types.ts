import type { ToolHost } from "../host/types.ts";
import type { Logger } from "../log/logger.ts";
import type { ModelSources } from "../models/types.ts";

/** What a harness works on. */
export interface HarnessProject {
  /** Absolute path of the project root, the checkout. */
  root: string;
  /** Absolute path of the project's state directory; it exists and is the user's alone. */
  stateDir: string;
  /** The tools, the manifest they are of (`host.manifest()`), and the masking of secrets (`host.mask`). */
  host: ToolHost;
  models: ModelSources;
  logger: Logger;
}
