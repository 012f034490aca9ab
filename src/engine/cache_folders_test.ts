import assert from "node:assert/strict";
import { cacheFolders } from "./cache_folders.ts";

const TABLE: [name: string, env: Record<string, string>, expected: string[]][] = [
  ["everything set", { XDG_CACHE_HOME: "/x", HOME: "/h", TMPDIR: "/t" }, [
    "/x/beeuni",
    "/h/.cache/beeuni",
    "/t/beeuni-7",
    "/tmp/beeuni-7",
  ]],
  ["nothing set", {}, ["/tmp/beeuni-7"]],
  ["relative and empty values are ignored", { XDG_CACHE_HOME: "x", HOME: "", TMPDIR: "." }, [
    "/tmp/beeuni-7",
  ]],
  ["the same folder is tried once", { TMPDIR: "/tmp/" }, ["/tmp/beeuni-7"]],
  ["blanks stay", { HOME: "/a b" }, ["/a b/.cache/beeuni", "/tmp/beeuni-7"]],
];
for (const [name, env, expected] of TABLE) {
  Deno.test(`cacheFolders: ${name}`, () => assert.deepEqual(cacheFolders(env, 7), expected));
}
