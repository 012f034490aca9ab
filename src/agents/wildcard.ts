/** Stands in a text for what is only known when it runs, such as the value of `$X`: any text, also none. */
export const UNKNOWN = "\uFFFF";

/**
 * Whether the whole of `text` fits `pattern`: `*` is any text, also none and also with `/`, `?` is one character.
 * Everything else means itself; case counts. As in OpenCode, `git *` fits a bare `git` too.
 *
 * {@link UNKNOWN} fits `*` alone: only what fits whatever it turns out to be, fits for certain.
 *
 * It goes back to the last `*` only, so that no pattern can make it slow.
 */
export function fitsPattern(text: string, pattern: string): boolean {
  return fits(Array.from(text), Array.from(pattern)) ||
    (pattern.endsWith(" *") && fits(Array.from(text), Array.from(pattern.slice(0, -2))));
}

/**
 * Whether `text` fits `pattern` for some value of each {@link UNKNOWN} in it.
 *
 * It keeps the set of places of the pattern that the text so far can have led to: as many steps as the text is long,
 * times the length of the pattern.
 */
export function mayFitPattern(text: string, pattern: string): boolean {
  const parts = Array.from(pattern);
  const end = parts.length;
  let places = new Uint8Array(end + 1);
  places[0] = 1;
  passStars(places, parts);
  for (const char of text) {
    const next = new Uint8Array(end + 1);
    if (char === UNKNOWN) {
      // The unknown text can be what leads from the first place to any later one.
      const first = places.indexOf(1);
      if (first >= 0) next.fill(1, first);
    } else {
      for (let place = 0; place < end; place++) {
        if (places[place] === 0) continue;
        const part = parts[place];
        if (part === "*") next[place] = 1;
        else if (part === "?" || part === char) next[place + 1] = 1;
      }
    }
    passStars(next, parts);
    places = next;
  }
  return places[end] === 1 || (pattern.endsWith(" *") && places[end - 2] === 1);
}

/** A `*` may be nothing: who stands before one stands behind it too. */
function passStars(places: Uint8Array, parts: readonly string[]): void {
  for (const [place, part] of parts.entries()) {
    if (part === "*" && places[place] === 1) places[place + 1] = 1;
  }
}

function fits(text: readonly string[], pattern: readonly string[]): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const part = pattern[place];
    const char = text[at];
    if (part === "*") {
      star = place++;
      resume = at;
    } else if (part !== undefined && char !== UNKNOWN && (part === "?" || part === char)) {
      place++;
      at++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[place] === "*") place++;
  return place === pattern.length;
}
