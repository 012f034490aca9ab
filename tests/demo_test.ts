import assert from "node:assert/strict";
import { join } from "node:path";
import { beeuniProgram } from "./beeuni.ts";

Deno.test("the demo shows the main job, keeps every promise, and ends by itself", async () => {
  const executable = Deno.env.get("BEEUNI_BIN");
  const script = join(import.meta.dirname!, "../scripts/demo.ts");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", script, ...executable ? ["--bin", beeuniProgram().program] : []],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.equal(code, 0, text + new TextDecoder().decode(stderr));
  for (
    const line of [
      /^ {3}lookup_order +project {2}tools\/lookup_order\.ts$/m,
      /^ {3}✓ beeuni\.yaml is valid and every module loads$/m,
      /^ {3}✓ ready after \d+ ms$/m,
      /^ {3}✓ whoever has no key is refused \(401\)$/m,
      /^ {3}✓ lookup_order found order A-1042$/m,
      /^ {3}✓ what a tool throws is its error: orders API answered 404$/m,
      /^ {3}✓ File created successfully at: memory\/orders\.md$/m,
      /^ {3}✓ order_total: 89\.88 EUR$/m,
      /^ {3}✓ read_outside: break_out may not read /m,
      /^ {3}✓ run_a_program: .*break_out may not run "sh": add it under tool_settings\.break_out\.permissions\.run/m,
      /^ {3}✓ support has no WEATHER_API_KEY: weather_now says so$/m,
      /^ {3}✓ nothing was written outside or into \.git$/m,
      /^ {3}✓ of \d+ bytes the model gets \d+ and where the rest is$/m,
      /^ {3}✓ the file has all 5000 lines$/m,
      /^ {3}✓ the tool's signal ended its request: the API saw the connection close after \d+ ms$/m,
      /^ {3}✓ agent support may not use break_out \(403\)$/m,
      /^ {3}✓ it ended in an orderly way$/m,
      /^ {3}✓ `beeuni secrets set WEATHER_API_KEY=-` takes the key from stdin$/m,
      /^ {3}✓ experimental: the agent called weather_now and printed its output$/m,
      /^ {3}✓ experimental: the log shows the call, and no key$/m,
      /^ {3}(?:✓ standard: the log shows the call, and no key|OpenCode can't be had here, .*)$/m,
      /^Everything was as promised \(\d+\.\d s\)\.$/m,
    ]
  ) assert.match(text, line);
  assert.doesNotMatch(text, /NOT as promised/);
});
