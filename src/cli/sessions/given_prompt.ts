import { MAX_BODY_BYTES } from "../../daemon/read_body.ts";
import { BeeuniError } from "../../errors/error.ts";
import { readAtMost } from "../read_at_most.ts";

/**
 * The value of `--prompt`: the text itself, or `-` for all of stdin.
 *
 * @param readStdin Opens stdin.
 * @throws {BeeuniError} `usage` when it is empty, too large, or not UTF-8.
 */
export async function givenPrompt(
  given: string,
  readStdin: () => ReadableStream<Uint8Array>,
): Promise<string> {
  const text = given === "-" ? await fromStdin(readStdin()) : given;
  if (text.trim() === "") {
    throw new BeeuniError("usage", "the prompt is empty.", {
      hint: 'Say what the agent is to do, such as --prompt "Summarize README.md".',
    });
  }
  return text;
}

async function fromStdin(stdin: ReadableStream<Uint8Array>): Promise<string> {
  const bytes = await readAtMost(stdin, MAX_BODY_BYTES);
  if (bytes === undefined) {
    throw new BeeuniError("usage", `the prompt on stdin is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BeeuniError("usage", "the prompt on stdin is not UTF-8 text.", { cause });
  }
}
