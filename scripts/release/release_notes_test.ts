import assert from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { releaseNotes } from "./release_notes.ts";

const LOG = "# Changes\n\n## 0.2.0 – 2027-01-01\n\n- two\n\n### More\n\n- three\n\n## 0.1.0\n\n- one\n";

Deno.test("releaseNotes: the text below a version's heading, up to the next version", () => {
  assert.equal(releaseNotes(LOG, "0.2.0"), "- two\n\n### More\n\n- three\n");
  assert.equal(releaseNotes(LOG, "0.1.0"), "- one\n");
  assert.equal(releaseNotes(LOG.replaceAll("\n", "\r\n"), "0.1.0"), "- one\n");
});

Deno.test("releaseNotes: a version without a section, or with an empty one, is refused", () => {
  assert.throws(() => releaseNotes(LOG, "0.1"), /has no section `## 0\.1`/);
  assert.throws(() => releaseNotes("## 0.3.0\n\n## 0.2.0\n\n- two\n", "0.3.0"), /is empty/);
  assert.throws(() => releaseNotes("## 0.3.0", "0.3.0"), /is empty/);
});

Deno.test("releaseNotes: CHANGELOG.md has the section of the version in deno.json", () => {
  const changelog = Deno.readTextFileSync(new URL("../../CHANGELOG.md", import.meta.url));
  assert.match(releaseNotes(changelog, config.version), /^- /m);
});
