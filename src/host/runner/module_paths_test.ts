import assert from "node:assert/strict";
import {
  filePathOf,
  isBare,
  isWithinAny,
  joinPath,
  missingPackage,
  packageOf,
  pathInMessages,
} from "./module_paths.ts";

const PATHS: [url: string, path: string | undefined][] = [
  ["file:///p/tools/x.ts", "/p/tools/x.ts"],
  ["file:///p/a%20b/%C3%A9%23.ts?v=1#h", "/p/a b/é#.ts"],
  ["file:///p/a?b#c?d", "/p/a"],
  ["file:///p/%zz", undefined],
  ["file://host/p", undefined],
  ["node:fs", undefined],
  ["data:text/javascript,1", undefined],
];
for (const [url, path] of PATHS) {
  Deno.test(`filePathOf: ${url}`, () => assert.equal(filePathOf(url), path));
}

const BARE: [specifier: string, name: string | undefined][] = [
  ["zod", "zod"],
  ["zod/v4", "zod"],
  ["@a/b", "@a/b"],
  ["@a/b/c/d", "@a/b"],
  ["@a", "@a"],
  ["./zod", undefined],
  ["../zod", undefined],
  [".", undefined],
  ["/zod", undefined],
  ["#zod", undefined],
  ["node:fs", undefined],
  ["npm:zod", undefined],
  ["", undefined],
];
for (const [specifier, name] of BARE) {
  Deno.test(`isBare: ${JSON.stringify(specifier)}`, () => {
    assert.equal(isBare(specifier), name !== undefined);
    if (name !== undefined) assert.equal(packageOf(specifier), name);
  });
}

const JOINED: [folder: string, specifier: string, path: string][] = [
  ["/p/tools", "./x.ts", "/p/tools/x.ts"],
  ["/p/tools", "../lib//x.ts", "/p/lib/x.ts"],
  ["/p", "../../../x", "/x"],
  ["/p", "..", "/"],
  ["/", "./x", "/x"],
  ["/p/tools", "/abs/./x", "/abs/x"],
];
for (const [folder, specifier, path] of JOINED) {
  Deno.test(`joinPath: ${folder} and ${specifier}`, () => assert.equal(joinPath(folder, specifier), path));
}

Deno.test("isWithinAny: by whole parts", () => {
  assert.equal(isWithinAny("/p/a", ["/q", "/p"]), true);
  assert.equal(isWithinAny("/p", ["/p"]), true);
  assert.equal(isWithinAny("/pa", ["/p"]), false);
  assert.equal(isWithinAny("/pa", ["/"]), true);
  assert.equal(isWithinAny("/p", []), false);
});

Deno.test("pathInMessages: relative below the root", () => {
  assert.equal(pathInMessages("/p/tools/x.ts", "/p"), "tools/x.ts");
  assert.equal(pathInMessages("/pa/x.ts", "/p"), "/pa/x.ts");
  assert.equal(pathInMessages("/x.ts", "/"), "x.ts");
});

const search = {
  specifier: "zod",
  importer: "/p/tools/x.ts",
  root: "/p",
  nodeModules: ["/p/tools/node_modules"],
};
const MISSING: [search: Partial<typeof search>, message: string][] = [
  [{}, "Cannot find package 'zod' imported from tools/x.ts (looked in tools/node_modules, node_modules)"],
  [
    { specifier: "@a/b/c", importer: "/p/lib/deep/h.ts", nodeModules: ["/p/node_modules", "/node_modules"] },
    "Cannot find package '@a/b' imported from lib/deep/h.ts " +
    "(looked in lib/deep/node_modules, lib/node_modules, node_modules, /node_modules)",
  ],
  [{ importer: "/p/x.ts" }, "Cannot find package 'zod' imported from x.ts (looked in node_modules)"],
  [
    { importer: "/p/node_modules/dep/index.js" },
    "Cannot find package 'zod' imported from node_modules/dep/index.js " +
    "(looked in node_modules/dep/node_modules, node_modules)",
  ],
  [
    { importer: "/q/node_modules/dep/index.js", nodeModules: ["/q/node_modules"] },
    "Cannot find package 'zod' imported from /q/node_modules/dep/index.js (looked in /q/node_modules)",
  ],
  [{ importer: "/q/x.ts", nodeModules: [] }, "Cannot find package 'zod' imported from /q/x.ts"],
];
for (const [other, message] of MISSING) {
  Deno.test(`missingPackage: ${message}`, () =>
    assert.equal(missingPackage({ ...search, ...other }), message));
}
