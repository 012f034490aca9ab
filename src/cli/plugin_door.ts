import type { PluginRoutes } from "../daemon/plugin_gate.ts";

/**
 * Where the plugin of a harness comes in: closed until its harness was made, so that a daemon that only serves tools
 * loads nothing for it.
 */
export class PluginDoor implements PluginRoutes {
  #routes: PluginRoutes | undefined;

  /** Lets in whoever `routes` knows. */
  open(routes: PluginRoutes): void {
    this.#routes = routes;
  }

  knowsToken(token: string): boolean {
    return this.#routes?.knowsToken(token) ?? false;
  }

  answer(...request: Parameters<PluginRoutes["answer"]>): Promise<Response> {
    if (this.#routes === undefined) throw new Error("nobody has a token while the door is closed");
    return this.#routes.answer(...request);
  }
}
