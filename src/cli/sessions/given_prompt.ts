import { MAX_BODY_BYTES } from "../../daemon/read_body.ts";
import { BeeuniError } from "../../errors/error.ts";
import { readAtMost } from "../read_at_most.ts";

/** What else may stand in the request, in bytes: names of an agent and a model. */
const OTHERS = 16 * 1024;

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
  // In the request a quote is two bytes, a control character six.
  if (text.length > MAX_BODY_BYTES / 6 && encodedLength(text) > MAX_BODY_BYTES - OTHERS) throw tooLarge();
  if (text.trim() === "") {
    throw new BeeuniError("usage", "the prompt is empty.", {
      hint: 'Say what the agent is to do, such as --prompt "Summarize README.md".',
    });
  }
  return text;
}

function encodedLength(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

function tooLarge(): BeeuniError {
  return new BeeuniError("usage", `the prompt is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB.`, {
    hint: "Put the text into a file of the project, and name the file in the prompt.",
  });
}

async function fromStdin(stdin: ReadableStream<Uint8Array>): Promise<string> {
  const bytes = await readAtMost(stdin, MAX_BODY_BYTES);
  if (bytes === undefined) {
    throw tooLarge();
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BeeuniError("usage", "the prompt on stdin is not UTF-8 text.", { cause });
  }
}
