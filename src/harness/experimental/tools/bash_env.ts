import { withoutReserved } from "../../../host/container_env.ts";
import { PROVIDER_KEYS } from "../../../host/web_tool_hosts.ts";
import { PROVIDERS } from "../../../models/providers.ts";

/** Keys of models and of the web tools' providers, by the names their documentation gives them. */
const KEYS = new Set([...PROVIDER_KEYS, ...Object.values(PROVIDERS).flatMap(({ keys }) => keys)]);

/** Names that say of themselves that they hold a key of an API, and Beeuni's own settings of the model. */
const KEY_NAME = /_API_KEY$|^BEEUNI_MODEL_/;

/**
 * The environment of `bash`: the daemon's without Beeuni's credentials (specification 2.6), without keys of models and of
 * web services, and without any variable that holds a secret of the project.
 *
 * @param mask Replaces every known secret in a text.
 */
export function bashEnv(
  env: Readonly<Record<string, string>>,
  mask: (text: string) => string = (text) => text,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(withoutReserved(env)).filter(([name, value]) =>
      !KEYS.has(name) && !KEY_NAME.test(name) && mask(value) === value
    ),
  );
}
