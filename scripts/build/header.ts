import { DENO_FLAGS } from "./deno_flags.ts";
import { sha256 } from "./sha256.ts";
import type { Payload } from "./payload.ts";
import type { Target } from "./targets.ts";

/** Size of the header in bytes: fixed, so that the offset of what follows does not depend on itself. */
const HEADER_BYTES = 32 * 1024;

/**
 * The shell script at the beginning of the executable, filled in and padded to a fixed size.
 *
 * @param template Text of header.sh.
 * @throws {Error} when it does not fit, or when the template names something unknown.
 */
export function shellHeader(template: string, { record, files }: Payload, target: Target): Uint8Array {
  const values: Record<string, string> = {
    VERSION: record.version,
    COMMIT: record.commit,
    TARGET: record.target,
    MACHINE: target.machine,
    ID: record.id,
    FILES: files.map(({ path }) => path).join(" "),
    SIZES: files.filter(({ path }) => path === "deno" || path === "main.js")
      .map(({ path, bytes }) => `${path}:${bytes.length}`).join(" "),
    SUMS: files.map(({ path, bytes }) => `${sha256(bytes)}  ${path}`).join("\n"),
    PAYLOAD: String(HEADER_BYTES + 1),
    FLAGS: DENO_FLAGS.join(" "),
  };
  const script = template.replace(/@([A-Z]+)@/g, (whole, name: string) => {
    const value = values[name];
    // The values stand in single quotes or bare: only what needs no quoting may be among them.
    if (value === undefined || !/^[\w.:/=+ \n-]*$/.test(value)) {
      throw new Error(`header.sh: ${whole}: ${value}`);
    }
    return value;
  });
  const bytes = new TextEncoder().encode(script);
  // The shell leaves by exec or exit on the last line; what follows is never read as a script.
  if (bytes.length >= HEADER_BYTES) {
    throw new Error(`header.sh is ${bytes.length} bytes, over ${HEADER_BYTES}`);
  }
  const header = new Uint8Array(HEADER_BYTES).fill("\n".charCodeAt(0));
  header.set(bytes);
  return header;
}
