import type { HostOptions } from "../host/options.ts";
import { Masker } from "../log/masker.ts";
import { StoredSecrets } from "../secrets/stored_secrets.ts";

/** The project's stored secrets, for a tool host. */
export interface HostSecrets extends Disposable {
  /** What the host is started with. */
  options: Required<Pick<HostOptions, "secrets" | "masker">>;
  /** The source itself. */
  stored: StoredSecrets;
}

/**
 * The stored secrets of a project, as they are at each call, and the masker that knows all of them.
 *
 * @param stateDir Absolute path of the project's state directory; it need not exist.
 */
export function hostSecrets(stateDir: string): HostSecrets {
  const masker = new FreshMasker(() => void stored.problem());
  const stored = new StoredSecrets({
    stateDir,
    variable: Deno.env.get("BEEUNI_SECRETS_KEY"),
    onValues: (values) => masker.add(values),
  });
  return {
    options: { masker, secrets: (agent, declared) => stored.of(agent, declared) },
    stored,
    [Symbol.dispose]: () => stored[Symbol.dispose](),
  };
}

/** Masks what is secret now: the arguments of a call are stored before the call itself reads a secret that is new. */
class FreshMasker extends Masker {
  readonly #look: () => void;

  /** @param look Has every value told that is not known yet. */
  constructor(look: () => void) {
    super();
    this.#look = look;
  }

  override mask(text: string): string {
    this.#look();
    return super.mask(text);
  }
}
