import { Buffer } from "node:buffer";

/** Values shorter than this many UTF-16 units can't be masked: they would hit innocent text (specification 2.6). */
export const MIN_MASKED_LENGTH = 8;

/**
 * Every spelling under which a secret may turn up in a log line (specification 2.6): raw, JSON-escaped, URL-encoded,
 * base64 in each alignment, base64url; a secret of several lines also line by line.
 *
 * @returns Distinct texts, the longest first; none when the value is too short to mask.
 */
export function maskForms(value: string): string[] {
  const forms = new Set<string>();
  const add = (form: string) => {
    if (form.length >= MIN_MASKED_LENGTH) forms.add(form);
  };
  for (const part of new Set([value, ...value.split(/\r\n|\n|\r/).map((line) => line.trim())])) {
    if (part.length < MIN_MASKED_LENGTH) continue;
    add(part);
    addEscaped(part, add);
    addUrlEncoded(part, add);
    for (const form of base64Forms(Buffer.from(part, "utf8"))) {
      add(form);
      add(form.replaceAll("+", "-").replaceAll("/", "_"));
    }
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/** Inside a JSON string; inside a JSON string that is inside a JSON string; as writers of pure ASCII do it. */
function addEscaped(value: string, add: (form: string) => void): void {
  const once = JSON.stringify(value).slice(1, -1);
  add(once);
  add(JSON.stringify(once).slice(1, -1));
  add(once.replaceAll("/", "\\/"));
  const ascii = once.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  add(ascii);
}

/** As a component, as a whole URL and as a form field write it, with hex digits of either case. */
function addUrlEncoded(value: string, add: (form: string) => void): void {
  const text = value.toWellFormed();
  const field = new URLSearchParams([["", text]]).toString().slice(1);
  for (const form of [encodeURIComponent(text), encodeURI(text), field]) {
    add(form);
    add(form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  }
}

/**
 * What of the base64 of `bytes` stands in the base64 of any text that contains them.
 *
 * The bytes may start at any of three positions of a group of three; characters that also carry bits of a
 * neighbour are left out. The first entry is the whole text with its padding.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms = [bytes.toString("base64")];
  for (let before = 0; before < 3; before++) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64").replace(/=+$/, "");
    // One foreign byte spoils two characters, two spoil three; a last group that is not full spoils its last one.
    const start = before === 0 ? 0 : before + 1;
    const end = (before + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    forms.push(text.slice(start, end));
  }
  return forms;
}
