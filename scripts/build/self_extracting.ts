import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { shellHeader } from "./header.ts";
import type { Payload } from "./payload.ts";
import { tarArchive } from "./tar.ts";
import type { Target } from "./targets.ts";

/** The time of every file, as in src/engine/unpack.ts; the marker has it too, and is moved into place last. */
const FILE_TIME = 978_307_200;

/** The executable as one file that unpacks itself: header.sh, then a gzip'ed tar of the payload. */
export async function selfExtracting(payload: Payload, target: Target): Promise<Uint8Array> {
  const template = await Deno.readTextFile(join(import.meta.dirname!, "header.sh"));
  const header = shellHeader(template, payload, target);
  const marker = { path: "complete", bytes: new Uint8Array(), mode: 0o600 };
  const archive = gzipSync(tarArchive([...payload.files, marker], FILE_TIME), { level: 9, memLevel: 9 });
  const file = new Uint8Array(header.length + archive.length);
  file.set(header);
  file.set(archive, header.length);
  return file;
}
