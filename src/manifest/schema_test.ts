import Ajv from "ajv";
import assert from "node:assert/strict";
import fc from "fast-check";
import { manifestCheckSource } from "../../scripts/generate_manifest_check.ts";
import { BEEUNI_TOOLS } from "../beeuni_tools/registry.ts";
import { checkStructure } from "./check_structure.ts";
import { ISSUE_CODES } from "./issue_codes.ts";
import { AGENT_KEYS, PERMISSION_KEYS, ROOT_KEYS, SETTING_KEYS } from "./keys.ts";
import { LineIndex } from "./parse/line_index.ts";
import { parseManifestText } from "./parse/parse.ts";
import { manifestSchema } from "./schema.ts";
import { fuzz } from "../../tests/support/fuzz.ts";

Deno.test("structure_check.js is what the generator makes of the schema", () => {
  const written = Deno.readTextFileSync(new URL("./structure_check.js", import.meta.url));
  assert.ok(
    written === manifestCheckSource(),
    "stale: run `deno run -A scripts/generate_manifest_check.ts`",
  );
});

Deno.test("the schema knows exactly the keys that the rules know", () => {
  const schema = JSON.parse(JSON.stringify(manifestSchema())).properties;
  assert.deepEqual(Object.keys(schema).sort(), [...ROOT_KEYS].sort());
  assert.deepEqual(Object.keys(schema.tools.properties), [...BEEUNI_TOOLS]);
  const settings = schema.tool_settings.additionalProperties.properties;
  assert.deepEqual(Object.keys(settings), [...SETTING_KEYS]);
  assert.deepEqual(Object.keys(settings.permissions.properties), [...PERMISSION_KEYS]);
  for (const key of Object.keys(schema.agents.additionalProperties.properties)) {
    assert.ok((AGENT_KEYS as readonly string[]).includes(key), key);
  }
});

/** Any of these at any place: what fits somewhere and what fits nowhere. */
const leaf = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  5,
  1.5,
  "",
  "all",
  "none",
  "*",
  "bash",
  "tools/x.ts",
  "../x.ts",
  "/x.mjs",
  "tools\\x.js",
  "https://x/y.ts",
  "a/..b/x.cts",
  "beeuni:web_search",
  "beeuni:show",
  "agents/a.yaml",
  "*.yaml",
  "30s",
  "30",
  "99ms",
  "100ms",
  "3600001ms",
  "61m",
  "2h",
  "1h",
  "orders.example.com",
  "*.example.com",
  "x:80",
  "x:0",
  "[::1]:80",
  "http://x",
  "1.2.3.4",
  "1.2.3.400",
  "git",
  "/bin/git",
  "hostname",
  "deny",
  "openai/gpt-5.1",
  "subagent",
  "AWS_REGION",
  "lower",
  "tab\there",
);

const key = fc.constantFrom(
  ...ROOT_KEYS,
  ...AGENT_KEYS,
  ...SETTING_KEYS,
  ...PERMISSION_KEYS,
  ...BEEUNI_TOOLS,
  "exclude",
  "lookup_order",
  "bash",
  "pty_x",
  "Bad-Name",
  "<<",
  "__proto__",
  "constructor",
  "*",
  "..",
  "a/b",
  "1",
  "null",
  "",
  "~/x",
);

/** An object with any of the keys, `__proto__` among them as an own key. */
function mapOf(value: fc.Arbitrary<unknown>, keys: fc.Arbitrary<string> = key): fc.Arbitrary<unknown> {
  return fc.uniqueArray(fc.tuple(keys, value), { maxLength: 4, selector: ([name]) => name })
    .map((entries) => {
      const map: Record<string, unknown> = {};
      for (const [name, inner] of entries) {
        Object.defineProperty(map, name, {
          value: inner,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return map;
    });
}

const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    mapOf(tie("value")),
  ),
})).value;

/** Mostly well-formed around one place or another, so that the deep rules are reached. */
const list = fc.array(leaf, { maxLength: 3 });
const toolNames = fc.constantFrom(
  "web_search",
  "show",
  "lookup_order",
  "bash",
  "pty_a",
  "Bad",
  "__proto__",
  "<<",
);
const action = fc.constantFrom("allow", "ask", "deny", "alow");
const patterns = fc.constantFrom("bash", "*", "git *", "web?", "", "<<", "a\nb", "__proto__");
const manifest = fc.oneof(
  mapOf(anything, fc.constantFrom(...ROOT_KEYS, "<<", "x")),
  fc.record({ tools: mapOf(fc.oneof(leaf, anything), toolNames) }),
  fc.record({ imports: fc.oneof(list, anything) }),
  fc.record({
    tool_settings: mapOf(
      fc.oneof(
        anything,
        mapOf(
          fc.oneof(anything, mapOf(fc.oneof(list, leaf), fc.constantFrom(...PERMISSION_KEYS, "ffi"))),
          fc.constantFrom(...SETTING_KEYS, "x"),
        ),
        fc.record({ permissions: mapOf(fc.oneof(list, leaf), fc.constantFrom(...PERMISSION_KEYS, "ffi")) }),
      ),
      toolNames,
    ),
  }),
  fc.record({
    agents: mapOf(
      fc.oneof(
        anything,
        mapOf(fc.oneof(list, leaf), fc.constantFrom(...AGENT_KEYS, "<<")),
        fc.record({
          tools: fc.oneof(mapOf(fc.oneof(list, leaf), fc.constantFrom("exclude", "bash", "*", "<<")), list),
        }),
        fc.record({
          permission: mapOf(fc.oneof(action, anything, mapOf(fc.oneof(action, leaf), patterns)), patterns),
        }),
      ),
      fc.constantFrom("beeuni", "..", "a/b", "", "__proto__", "<<"),
    ),
  }),
);

Deno.test("rules and schema agree: a manifest has problems exactly when ajv refuses it", () => {
  const accepts = new Ajv.default({ allErrors: true, allowUnionTypes: true, strictTypes: false })
    .compile(manifestSchema());
  const parameters = fuzz(5000);
  let refused = 0;
  fc.assert(
    fc.property(manifest, (value) => {
      // JSON is YAML, so the text of the one is the text of the other.
      const text = JSON.stringify(value);
      const lines = new LineIndex(text);
      const { root, problems } = parseManifestText(text, lines);
      assert.ok(root !== undefined && problems.length === 0, text);
      const found = checkStructure(root);
      assert.equal(found.length === 0, accepts(value), text);
      if (found.length > 0) refused++;
      const places = found.map(({ segments }) => JSON.stringify(segments));
      assert.equal(new Set(places).size, places.length, `two problems at one place: ${text}`);
      for (const { code, message, offset } of found) {
        assert.ok(code in ISSUE_CODES && code !== "structure", `no rule for a place of ${text}`);
        assert.match(message, /[.?]$/);
        assert.ok(offset >= 0 && offset < text.length);
      }
    }),
    parameters,
  );
  // A property over manifests that are all fine, or all refused, would prove nothing.
  const share = refused / parameters.numRuns;
  assert.ok(share > 0.1 && share < 0.98, String(share));
});
