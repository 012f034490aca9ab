/** Most bytes of one file; with the one before it twice that is kept. */
const MAX_BYTES = 1024 * 1024;

/**
 * Keeps what a process writes in a 0600 file. When that is full it becomes `<file>.1`, in the place of the last one.
 *
 * It reads until the stream ends, also when nothing can be written: a process whose pipe is full stands still.
 */
export async function keepLog(
  stream: ReadableStream<Uint8Array>,
  file: string,
  onText: (text: string) => void = () => {},
): Promise<void> {
  const decoder = new TextDecoder();
  let out: Deno.FsFile | undefined;
  let size = 0;
  const open = async () => {
    try {
      out = await Deno.open(file, { create: true, append: true, mode: 0o600 });
      size = (await out.stat()).size;
    } catch {
      out = undefined;
    }
  };
  await open();
  try {
    for await (const chunk of stream) {
      onText(decoder.decode(chunk, { stream: true }));
      try {
        for (let rest = chunk; out !== undefined && rest.length > 0;) {
          rest = rest.subarray(await out.write(rest));
        }
        size += chunk.length;
        if (size > MAX_BYTES) {
          out?.close();
          out = undefined;
          await Deno.rename(file, `${file}.1`);
          await open();
        }
      } catch {
        // A full disk costs the log, not the process.
      }
    }
  } finally {
    out?.close();
  }
}
