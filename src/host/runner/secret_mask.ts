import { append, jsonParse, objectCreate, replaceAll, stringSlice } from "./primordials.ts";

/** What stands in place of a secret, as in what the daemon masks. */
const MASK = "***";

/** How many sets of forms are remembered; beyond that the oldest are forgotten. */
const MAX_SETS = 64;

/**
 * The spellings of the secrets in `context.env` that the daemon sent, each a JSON list, the newest last. Earlier ones
 * stay: a call that began with the old value of a secret may still print it.
 */
let sets: string[] = [];

/** All of them as texts, the longest first; `undefined` until they are needed. */
let known: readonly string[] | undefined;

/**
 * Has this thread mask further secrets. The daemon masks whatever it is told, so a worker does it only with texts that
 * are cut or written to a file before the daemon sees them: half a secret is none that the daemon could know.
 *
 * @param json JSON of a list of texts; it is not parsed before something has to be masked.
 */
export function learnMaskForms(json: string): void {
  const next: string[] = [];
  const first = sets.length >= MAX_SETS ? sets.length - MAX_SETS + 1 : 0;
  for (let index = first; index < sets.length; index++) {
    if (sets[index] !== json) append(next, sets[index]!);
  }
  append(next, json);
  sets = next;
  known = undefined;
}

/** `text` with every form of every known secret replaced (specification 2.6). */
export function maskSecrets(text: string): string {
  const forms = knownForms();
  let masked = text;
  for (let index = 0; index < forms.length; index++) masked = replaceAll(masked, forms[index]!, MASK);
  return masked;
}

/** Length of the longest form in UTF-16 units; 0 when there is no secret. */
export function longestMaskForm(): number {
  return knownForms()[0]?.length ?? 0;
}

/** The first `max` UTF-16 units of a text; a secret at the cut is masked and not halved. */
export function maskedHead(text: string, max: number): string {
  return text.length <= max ? text : stringSlice(maskSecrets(text), 0, max);
}

function knownForms(): readonly string[] {
  if (known !== undefined) return known;
  const isKnown: Record<string, true> = objectCreate(null);
  let forms: string[] = [];
  for (let index = 0; index < sets.length; index++) forms = merge(forms, jsonParse(sets[index]!), isKnown);
  return known = forms;
}

/** Both lists, which have the longest first, as one that has, too; `isKnown` says what `before` has. */
function merge(before: readonly string[], added: readonly string[], isKnown: Record<string, true>): string[] {
  const merged: string[] = [];
  let at = 0;
  for (let index = 0; index < added.length; index++) {
    const form = added[index]!;
    if (isKnown[form]) continue;
    isKnown[form] = true;
    while (at < before.length && before[at]!.length >= form.length) append(merged, before[at++]!);
    append(merged, form);
  }
  while (at < before.length) append(merged, before[at++]!);
  return merged;
}
