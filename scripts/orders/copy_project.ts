import { join } from "node:path";

/** A copy of fixtures/orders in a folder of its own. */
export interface OrdersProject extends Disposable {
  /** The folder around everything, removed at the end. */
  base: string;
  /** The project root. */
  root: string;
}

/**
 * Copies fixtures/orders, so that whatever a tool does leaves the clone as it is. The copy has a `.git/hooks`, as a
 * real checkout does.
 */
export function copyOrdersProject(): OrdersProject {
  const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "beeuni-orders-" }));
  const root = join(base, "orders");
  copyFolder(join(import.meta.dirname!, "../../fixtures/orders"), root);
  Deno.mkdirSync(join(root, ".git/hooks"), { recursive: true });
  return { base, root, [Symbol.dispose]: () => Deno.removeSync(base, { recursive: true }) };
}

function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to);
  for (const entry of Deno.readDirSync(from)) {
    if (entry.isDirectory) copyFolder(join(from, entry.name), join(to, entry.name));
    else Deno.copyFileSync(join(from, entry.name), join(to, entry.name));
  }
}
