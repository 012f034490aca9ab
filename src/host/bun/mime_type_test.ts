import assert from "node:assert/strict";
import { mimeTypeOfPath, normalizeMimeType } from "./mime_type.ts";

Deno.test("mimeTypeOfPath goes by the extension", () => {
  const cases: [string, string][] = [
    ["foo.txt", "text/plain;charset=utf-8"],
    ["a/b.json", "application/json;charset=utf-8"],
    ["a.PNG", "image/png"],
    ["a.tar.gz", "application/gzip"],
    ["x.ts", "text/javascript;charset=utf-8"],
    ["x.png/", "image/png"],
    ["x.png/y", "application/octet-stream"],
    [".env", "application/octet-stream"],
    ["a.", "application/octet-stream"],
    ["noext", "application/octet-stream"],
    ["", "application/octet-stream"],
    ["a.constructor", "application/octet-stream"],
  ];
  for (const [path, type] of cases) assert.equal(mimeTypeOfPath(path), type, path);
});

Deno.test("normalizeMimeType adds the charset to the common text types", () => {
  const cases: [string, string][] = [
    ["application/json", "application/json;charset=utf-8"],
    ["text/plain", "text/plain;charset=utf-8"],
    ["TEXT/HTML", "text/html"],
    ["application/x-foo", "application/x-foo"],
    ["text/html;charset=latin1", "text/html;charset=latin1"],
  ];
  for (const [type, shown] of cases) assert.equal(normalizeMimeType(type), shown, type);
});
