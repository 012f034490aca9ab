import type { Problem } from "./problem.ts";

/** Bytes a manifest file may have: 1,000 tools take 50 KB. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** What the bytes of a manifest file say. */
export interface DecodedText {
  /** The text without its BOM; as far as it can be told when there is a problem. */
  text: string;
  bom: boolean;
  problem?: Problem;
}

// What YAML 1.2.2 (5.1) calls not printable, as far as UTF-8 text can hold it; tab, LF and CR are.
// deno-lint-ignore no-control-regex
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** The problem of a file with so many bytes, when there are too many. */
export function tooLarge(byteCount: number): Problem | undefined {
  if (byteCount <= MAX_FILE_BYTES) return undefined;
  const most = grouped(MAX_FILE_BYTES);
  return {
    code: "file_too_large",
    message: `The file has ${grouped(byteCount)} bytes; a manifest file may have at most ${most}.`,
    offset: 0,
    segments: [],
  };
}

/** Decodes a manifest file; never throws. */
export function decode(bytes: Uint8Array): DecodedText {
  const problem = tooLarge(bytes.length);
  if (problem !== undefined) return { text: "", bom: false, problem };
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = bom ? bytes.subarray(3) : bytes;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return {
      text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(body),
      bom,
      problem: {
        code: "not_utf8",
        message: "The file is not valid UTF-8 from here on: save it as UTF-8.",
        offset: validPrefix(body),
        segments: [],
      },
    };
  }
  const at = text.search(FORBIDDEN);
  if (at === -1) return { text, bom };
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  return {
    text,
    bom,
    problem: {
      code: "control_character",
      message: `The control character U+${code} can't stand in a manifest: remove it.`,
      offset: at,
      segments: [],
    },
  };
}

/** How many UTF-16 units come before the first invalid byte. */
function validPrefix(bytes: Uint8Array): number {
  // A stream decoder takes a character cut at the end for unfinished, not for invalid: so prefixes can be halved.
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodedLength(bytes.subarray(0, middle)) === undefined) bad = middle;
    else good = middle;
  }
  return decodedLength(bytes.subarray(0, good)) ?? 0;
}

function decodedLength(prefix: Uint8Array): number | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(prefix, { stream: true }).length;
  } catch {
    return undefined;
  }
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
