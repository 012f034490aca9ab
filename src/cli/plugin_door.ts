import type { PluginRoutes } from "../daemon/plugin_gate.ts";

/**
 * Where the plugin of a harness comes in: closed until its harness was made, so that a daemon that only serves tools
 * loads nothing for it.
 */
export class PluginDoor implements PluginRoutes {
  #routes: PluginRoutes | undefined;
  #installed: InstalledPlugins | undefined;

  /** Lets in plugins in servers that somebody else starts. */
  openForInstalled(installed: InstalledPlugins): void {
    this.#installed = installed;
  }

  /** Lets in whoever `routes` knows. */
  open(routes: PluginRoutes): void {
    this.#routes = routes;
  }

  failed(): ReturnType<PluginRoutes["failed"]> {
    return this.#routes?.failed() ?? [];
  }

  knowsToken(token: string): boolean {
    return this.#routes?.knowsToken(token) || (this.#installed?.knowsToken(token) ?? false);
  }

  async answer(...request: Parameters<PluginRoutes["answer"]>): Promise<Response> {
    const [, token] = request;
    const routes = this.#routes?.knowsToken(token) ? this.#routes : await this.#installed?.load();
    if (routes === undefined) throw new Error("nobody has a token while the door is closed");
    return await routes.answer(...request);
  }
}

/** What plugins that `beeuni harness install-plugin` wrote may do. */
export interface InstalledPlugins {
  knowsToken(token: string): boolean;
  /** Asked with the first request of such a plugin. */
  load(): Promise<PluginRoutes>;
}
