import { join } from "node:path";
import { ENGINE_RECORD } from "../../src/engine/record.ts";
import { UNSTABLE_FLAGS } from "./deno_flags.ts";
import { sha256 } from "./sha256.ts";
import type { Payload } from "./payload.ts";
import type { Target } from "./targets.ts";

/**
 * The executable as `deno compile` makes it: the payload is embedded as files, and src/engine/unpack.ts unpacks
 * them at the first start. It needs a runtime base: `DENORT_BIN`, or a network to fetch it from.
 *
 * @param output Path of the file to write.
 * @throws {Error} when there is no runtime base, with Deno's own message.
 */
export async function compiled(payload: Payload, target: Target, output: string): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "beeuni-compile-" });
  try {
    // Under a name without an extension a file is data, never a module of the program.
    await Deno.mkdir(join(folder, "payload"));
    for (const { path, bytes } of payload.files) {
      await Deno.writeFile(join(folder, "payload", sha256(bytes)), bytes);
      if (!path.includes("/") && path !== "deno") await Deno.writeFile(join(folder, path), bytes);
    }
    const command = new Deno.Command(Deno.execPath(), {
      args: [
        "compile",
        "--quiet",
        "--allow-all",
        "--no-prompt",
        "--no-config",
        "--no-lock",
        ...UNSTABLE_FLAGS,
        "--unstable-no-legacy-abort",
        `--target=${target.triple}`,
        `--output=${output}`,
        "--include=payload",
        `--include=${ENGINE_RECORD}`,
        "main.js",
      ],
      cwd: folder,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
    });
    const { success, stderr } = await command.output();
    if (!success) {
      const reason = new TextDecoder().decode(stderr).trim();
      throw new Error(`deno compile failed (without DENORT_BIN it needs a network):\n${reason}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
