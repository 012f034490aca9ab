/** `show` in a process of its own, with the rights its sandbox has: read on the project, its temp and the outputs. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { dirname } from "node:path";

const MODULE = new URL("../src/beeuni_tools/show.ts", import.meta.url);

Deno.test("show tells not there from not allowed with its rights alone", async () => {
  const root = fs.realpathSync(Deno.makeTempDirSync({ prefix: "beeuni-show-" }));
  try {
    const files = [
      "project/beeuni.yaml",
      "project/out/report.pdf",
      "agent-tmp/picture.png",
      "tmp/other.txt",
      "tmp/beeuni-tool-output/session-1/1.txt",
      "tmp/beeuni-tool-output/session-2/2.txt",
      "secret.txt",
    ];
    for (const file of files) {
      fs.mkdirSync(dirname(`${root}/${file}`), { recursive: true });
      fs.writeFileSync(`${root}/${file}`, "x");
    }
    fs.symlinkSync("../secret.txt", `${root}/project/secret.txt`);

    const outside = (path: string) =>
      `File is outside the project: ${path}. Copy it into the project or the temp folder and show the copy.`;
    const missing = (path: string) => `File not found: ${path}`;
    const shown = (path: string) => path;
    const cases: [string, (path: string) => string][] = [
      [`${root}/project/out/report.pdf`, shown],
      [`${root}/agent-tmp/picture.png`, shown],
      [`${root}/tmp/beeuni-tool-output/session-1/1.txt`, shown],
      [`${root}/project/none.pdf`, missing],
      [`${root}/agent-tmp/none.png`, missing],
      [`${root}/tmp/beeuni-tool-output/session-1/none.txt`, missing],
      [`${root}/tmp/beeuni-tool-output/session-2/2.txt`, outside],
      [`${root}/tmp/other.txt`, outside], // in the daemon's temp folder, which the sandbox may not read
      [`${root}/secret.txt`, outside],
      [`${root}/none.txt`, outside],
      [`${root}/project/secret.txt`, outside],
      ["/etc/passwd", outside],
    ];
    const program = `
      import tool from "${MODULE}";
      const context = {
        sessionId: "session-1", agent: "", directory: "${root}/project/out", env: { TMPDIR: "${root}/tmp" },
        signal: new AbortController().signal,
      };
      const answers = ${JSON.stringify(cases.map(([path]) => path))}.map((path) => {
        try { return tool.execute({ type: "file", path }, context).entry.path } catch (error) { return error.message }
      });
      console.log(JSON.stringify(answers));
    `;
    const readable = ["project", "agent-tmp", "tmp/beeuni-tool-output"].map((folder) => `${root}/${folder}`);
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "--no-config",
        "--no-check",
        "--allow-env=TMPDIR",
        `--allow-read=${readable}`,
        "-",
      ],
      env: { NO_COLOR: "1", TMPDIR: `${root}/agent-tmp` },
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const input = child.stdin.getWriter();
    await input.write(new TextEncoder().encode(program));
    await input.close();
    const { stdout } = await child.output();
    assert.deepEqual(
      JSON.parse(new TextDecoder().decode(stdout)),
      cases.map(([path, expected]) => expected(path)),
    );
  } finally {
    fs.rmSync(root, { recursive: true });
  }
});
