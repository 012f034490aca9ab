/** Stands before a provider's name in OpenCode: it has code of its own for the names it knows. */
const PREFIX = "beeuni-";

/** A model as OpenCode's `prompt_async` takes it. */
export interface OpenCodeModel {
  providerID: string;
  modelID: string;
}

/**
 * A model in OpenCode's words. Its provider there leads to the daemon, which adds the key.
 *
 * @param ref `<provider>/<model>`; the model may contain `/`.
 */
export function opencodeModel(ref: string): OpenCodeModel {
  const slash = ref.indexOf("/");
  return { providerID: PREFIX + ref.slice(0, slash), modelID: ref.slice(slash + 1) };
}
