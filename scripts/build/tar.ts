/** One file of an archive. */
export interface TarEntry {
  /** Path below the folder it is unpacked into, with `/`; at most 100 ASCII characters. */
  path: string;
  bytes: Uint8Array;
  /** Permission bits, such as `0o755`. */
  mode: number;
}

const BLOCK = 512;

/**
 * A ustar archive with exactly these files, in this order; the same input gives the same bytes.
 *
 * Written here because the bytes of the `tar` command depend on its version. Owner is 0, and folders have no
 * entries: `tar` makes them.
 *
 * @param mtime Modification time of every file, in seconds since 1970.
 * @throws {RangeError} when a path does not fit.
 */
export function tarArchive(entries: readonly TarEntry[], mtime: number): Uint8Array {
  const size = entries.reduce((sum, { bytes }) => sum + BLOCK + padded(bytes.length), 2 * BLOCK);
  const archive = new Uint8Array(size);
  let offset = 0;
  for (const entry of entries) {
    archive.set(header(entry, mtime), offset);
    archive.set(entry.bytes, offset + BLOCK);
    offset += BLOCK + padded(entry.bytes.length);
  }
  return archive;
}

function padded(length: number): number {
  return Math.ceil(length / BLOCK) * BLOCK;
}

/** Fields: name 0, mode 100, uid 108, gid 116, size 124, mtime 136, checksum 148, type 156, magic 257. */
function header({ path, bytes, mode }: TarEntry, mtime: number): Uint8Array {
  // deno-lint-ignore no-control-regex -- the range is ASCII itself
  if (path.length > 100 || !/^[\x00-\x7f]+$/.test(path)) {
    throw new RangeError(`the path ${path} does not fit`);
  }
  const block = new Uint8Array(BLOCK);
  const put = (offset: number, text: string) => block.set(new TextEncoder().encode(text), offset);
  const octal = (value: number, width: number) => value.toString(8).padStart(width, "0") + "\0";
  put(0, path);
  put(100, octal(mode, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(bytes.length, 11));
  put(136, octal(mtime, 11));
  put(156, "0");
  put(257, "ustar\0" + "00");
  // The checksum is over the header with blanks in its own place.
  block.fill(0x20, 148, 156);
  put(148, octal(block.reduce((sum, byte) => sum + byte, 0), 6) + " ");
  return block;
}
