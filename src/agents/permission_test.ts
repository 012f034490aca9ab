import assert from "node:assert/strict";
import type { PermissionAction, PermissionRules } from "../manifest/model.ts";
import {
  capabilityOf,
  decidePermission,
  permissionParts,
  permissionSubjects,
  stricter,
} from "./permission.ts";

type Written = Record<string, PermissionAction | Record<string, PermissionAction>>;

function rules(written: Written): PermissionRules {
  return new Map(
    Object.entries(written).map(([key, value]) => [
      key,
      new Map(typeof value === "string" ? [["*", value]] : Object.entries(value)),
    ]),
  );
}

const root = "/project";
const bash = (command: unknown) => ["bash", { command }] as const;
const read = (filePath: unknown) => ["read", { filePath }] as const;

function check(
  cases: readonly (readonly [Written, readonly [string, Record<string, unknown>], PermissionAction])[],
) {
  for (const [written, [tool, args], expected] of cases) {
    assert.equal(
      decidePermission(rules(written), tool, args, { root }),
      expected,
      JSON.stringify([written, tool, args]),
    );
  }
}

Deno.test("decidePermission: the tool's own name, then its capability, then *; no rule is allow", () => {
  assert.equal(decidePermission(undefined, "bash", {}, { root }), "allow");
  const scrape = ["scrape_webpage", { urls: "https://a.example/x" }] as const;
  const view = ["memory", { command: "view", path: "memory/a.md" }] as const;
  const create = ["memory", { command: "create", path: "memory/a.md", file_text: "" }] as const;
  check([
    [{}, bash("rm x"), "allow"],
    [{ "*": "deny" }, bash("rm x"), "deny"],
    [{ "*": "deny", bash: "allow" }, bash("rm x"), "allow"],
    [{ "*": "deny", webfetch: "ask" }, scrape, "ask"],
    [{ "*": "deny", webfetch: "ask", scrape_webpage: "allow" }, scrape, "allow"],
    [{ webfetch: "allow", scrape_webpage: "deny" }, scrape, "deny"],
    [{ websearch: "deny" }, ["web_search", { query: "x" }], "deny"],
    [{ websearch: "deny" }, ["image_search", { query: "x" }], "deny"],
    [{ websearch: "deny" }, ["websearch", { query: "x" }], "deny"],
    [{ edit: "deny" }, view, "allow"],
    [{ edit: "deny" }, create, "deny"],
    [{ read: "deny" }, view, "deny"],
    [{ read: "deny" }, create, "allow"],
    [{ edit: "deny", memory: "allow" }, create, "allow"],
    [{ edit: "deny" }, ["write", { filePath: "a" }], "deny"],
    [{ edit: "deny" }, ["apply_patch", { patchText: "" }], "deny"],
    [{ weather_now: "ask" }, ["weather_now", { city: "Berlin" }], "ask"],
    [{ "*": "ask" }, ["weather_now", { city: "Berlin" }], "ask"],
    [{ weather_now: "ask" }, ["show", { url: "x" }], "allow"],
    [{ "*": "deny" }, ["__proto__", {}], "deny"],
    // Where no pattern of the nearer rules fits, the farther ones decide.
    [{ "*": "deny", bash: { "git *": "allow" } }, bash("ls"), "deny"],
    [{ "*": "deny", bash: { "git *": "allow" } }, bash("git log"), "allow"],
    [{ bash: { "git *": "deny" } }, bash("ls"), "allow"],
    [{ "*": { "*": "ask", "memory/*": "deny" } }, create, "deny"],
  ]);
});

Deno.test("decidePermission: the longest pattern decides, of equally long ones the stricter", () => {
  check([
    [{ bash: { "git *": "allow", "*": "ask" } }, bash("git status"), "allow"],
    [{ bash: { "git *": "allow", "*": "ask" } }, bash("git"), "allow"],
    [{ bash: { "git *": "allow", "*": "ask" } }, bash("gitk"), "ask"],
    [{ bash: { "git *": "allow", "*": "ask" } }, bash("GIT status"), "ask"],
    [{ bash: { "*": "ask", "git *": "allow" } }, bash("git status"), "allow"],
    [{ bash: { "git push *": "deny", "git *": "allow" } }, bash("git push -f"), "deny"],
    [{ bash: { "git *": "allow", "git push *": "deny" } }, bash("git push"), "deny"],
    [
      { bash: { "*": "deny", "git push origin *": "ask", "git push *": "allow" } },
      bash("git push origin x"),
      "ask",
    ],
    [{ bash: { "g?t *": "allow", "git *": "deny" } }, bash("git x"), "deny"],
    [{ bash: { "git *": "deny", "g?t *": "allow" } }, bash("git x"), "deny"],
    [{ bash: { "git (a|b)+ *": "allow", "*": "deny" } }, bash("git aa x"), "deny"],
    [{ bash: { ".*": "allow", "*": "deny" } }, bash("rm x"), "deny"],
  ]);
});

Deno.test("decidePermission: every command of a line has to be allowed", () => {
  const git: Written = { bash: { "git *": "allow", "*": "ask" } };
  const strict: Written = { bash: { "git *": "allow", "git push *": "ask", "*": "deny" } };
  const open: Written = { bash: { "*": "allow", "rm *": "deny", "> *": "ask" } };
  check([
    ...[
      "git status; git log",
      "git log | git x",
      "git log $(git rev-parse HEAD)",
      "git log $X",
      'git log "$X"',
      "git a\ngit b",
    ]
      .map((line) => [git, bash(line), "allow"] as const),
    ...[
      "git status; rm -rf x",
      "git status && rm x",
      "git status || rm x",
      "git status | sh",
      "git status & rm x",
      "git status\nrm x",
      "git log $(rm x)",
      'git log "$(rm x)"',
      "git log `rm x`",
      "git log <(rm x)",
      "git log ${x:-$(rm x)}",
      "(rm x)",
      "{ rm x; }",
      "git log > .git/hooks/pre-commit",
      "GIT_SSH_COMMAND='rm x' git fetch",
      '"git x" y',
      "git\\ x",
      "git$X log",
      "$X",
      "git() { rm x; }; git y",
      "git log 'x",
      "case a in a) rm x;; esac",
      "",
    ].map((line) => [git, bash(line), "ask"] as const),
    [strict, bash("git log; ls"), "deny"],
    [strict, bash("git log; git push"), "ask"],
    // It may be `git push`: the stricter rule decides.
    [strict, bash("git $X"), "ask"],
    [strict, bash("git ${X:-push} -f"), "ask"],
    [strict, bash("git {push,origin}"), "ask"],
    [strict, bash("git p[u]sh x"), "ask"],
    [strict, bash("git 'push' x"), "ask"],
    [strict, bash("git p\\ush"), "ask"],
    [strict, bash("git $EMPTY push x"), "ask"],
    [strict, bash("git log $X"), "allow"],
    [strict, bash("git log *.ts"), "allow"],
    [open, bash("ls"), "allow"],
    [open, bash("ls; rm x"), "deny"],
    [open, bash("r'm' x"), "deny"],
    [open, bash("A=1 rm x"), "deny"],
    [open, bash("> /dev/null rm x"), "deny"],
    [open, bash("2>&1 rm x"), "deny"],
    [open, bash("$EMPTY rm x"), "deny"],
    [open, bash("$CMD"), "deny"],
    [open, bash("echo $X"), "allow"],
    [open, bash("echo a > b"), "ask"],
    [open, bash("while true; do rm x; done"), "deny"],
    [open, bash("cat <<E\n$(rm x)\nE"), "deny"],
    [open, bash("case a in a) rm x;; esac"), "deny"],
    [open, bash(["rm x"]), "deny"],
    [{ bash: { 'git commit -m "*"': "allow", "*": "ask" } }, bash('git commit -m "a b"'), "allow"],
    [{ bash: { "git commit -m *": "allow", "*": "ask" } }, bash('git commit -m "a b"'), "allow"],
    [{ bash: { "echo $HOME": "allow", "*": "ask" } }, bash("echo $HOME"), "allow"],
    [{ bash: { "cat ~/*": "deny" } }, bash("cat ~/x"), "deny"],
    [{ bash: { "cat /home/*": "deny" } }, bash("cat ~/x"), "deny"],
  ]);
});

Deno.test("decidePermission: paths are compared in their one spelling", () => {
  const secret: Written = { read: { "secret/*": "deny" }, edit: { "src/*": "allow", "*": "ask" } };
  check([
    ...[
      "secret/a",
      "./secret/a",
      "x/../secret/a",
      "/project/secret/a",
      "/project/./x//../secret/a",
      "secret//a",
    ]
      .map((path) => [secret, read(path), "deny"] as const),
    [secret, read("/secret/a"), "allow"],
    [secret, read("secrets/a"), "allow"],
    [secret, ["edit", { filePath: "/project/src/a/b.ts" }], "allow"],
    [secret, ["edit", { filePath: "src/../package.json" }], "ask"],
    [secret, ["write", { filePath: "../src/a" }], "ask"],
    [{ read: { "/etc/*": "deny" } }, read("../etc/passwd"), "deny"],
    [{ read: { "../*": "deny" } }, read("../x"), "allow"],
    [{ read: { "*.env": "deny" } }, read("a/.env"), "deny"],
    [secret, [
      "apply_patch",
      { patchText: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Move to: lib/a.ts\n*** End Patch" },
    ], "ask"],
    [
      secret,
      ["apply_patch", { patchText: "*** Add File: src/a.ts\n+x\n*** Delete File: src/b.ts" }],
      "allow",
    ],
    [{ edit: { "memory/private/*": "deny" } }, [
      "memory",
      { command: "rename", old_path: "memory/a", new_path: "/memories/./private/b" },
    ], "deny"],
    [
      { read: { "memory/private/*": "deny" } },
      ["memory", { command: "view", path: ".//memory/private/b" }],
      "deny",
    ],
    [{ read: { "x": "deny" } }, read(["x"]), "deny"],
  ]);
});

Deno.test("decidePermission: a search of a folder touches what is below it", () => {
  const secret: Written = { grep: { "secret/*": "deny" }, glob: { "secret/*": "deny" } };
  const glob = (pattern: string, path?: string) => ["glob", { pattern, ...(path && { path }) }] as const;
  check([
    [secret, ["grep", { pattern: "x" }], "deny"],
    [secret, ["grep", { pattern: "x", path: "." }], "deny"],
    [secret, ["grep", { pattern: "x", path: "secret" }], "deny"],
    [secret, ["grep", { pattern: "x", path: "secret/deep" }], "deny"],
    [secret, ["grep", { pattern: "x", path: "src" }], "allow"],
    [secret, glob("**/*.ts"), "deny"],
    [secret, glob("src/**/*.ts"), "allow"],
    [secret, glob("secret/*"), "deny"],
    [secret, glob("*", "secret"), "deny"],
    [secret, glob("/project/src/*"), "allow"],
    [secret, glob("src/*/../../secret/x"), "deny"],
    [secret, glob("../project/secret/*", "src"), "allow"],
    [secret, glob("../secret/*", "src"), "deny"],
  ]);
});

Deno.test("decidePermission: each URL, query, subagent and skill", () => {
  const web: Written = { webfetch: { "https://a.example/*": "allow", "*": "deny" } };
  const closed: Written = { webfetch: { "https://a.example/x": "deny", "*": "allow" } };
  const scrape = (urls: string) => ["scrape_webpage", { urls }] as const;
  check([
    [web, ["webfetch", { url: "https://a.example/x" }], "allow"],
    [web, ["webfetch", { url: "HTTPS://A.example/x" }], "allow"],
    [web, ["webfetch", { url: "https://a.example" }], "allow"],
    [web, ["webfetch", { url: "https://a.example@b.example/" }], "deny"],
    // What leads to a page that is denied is denied, however it is written; what is allowed must be written plainly.
    [closed, scrape("https://a.example/x"), "deny"],
    [closed, scrape("https://someone@a.example/x"), "deny"],
    [closed, scrape("https://a:b@a.example:443/x"), "deny"],
    [closed, scrape("https://a.example./x"), "deny"],
    [closed, scrape("https://A.EXAMPLE/%78"), "deny"],
    [closed, scrape("https://a.example/x#part"), "deny"],
    [closed, scrape("https://a.example/%2578"), "allow"],
    [closed, scrape("https://a.example/y"), "allow"],
    [closed, ["webfetch", { url: "https://someone@a.example/x" }], "deny"],
    [web, scrape("https://someone@a.example/x"), "deny"],
    [web, scrape("https://a.example/x, a.example/y"), "allow"],
    [web, scrape("https://a.example/x,https://b.example/"), "deny"],
    [web, scrape("https://a.example/x\nb.example"), "deny"],
    [{ websearch: { "*secret*": "deny" } }, ["web_search", { query: "a ||| my secret" }], "deny"],
    [{ websearch: { "secret": "deny" } }, ["image_search", { query: "a|||secret " }], "deny"],
    [{ task: { "reviewer": "allow", "*": "deny" } }, ["task", { subagent_type: "reviewer" }], "allow"],
    [{ task: { "reviewer": "allow", "*": "deny" } }, ["task", { subagent_type: "deployer" }], "deny"],
    [{ task: { "deployer": "deny" } }, ["task", { subagent_type: " deployer " }], "deny"],
    [{ skill: { "internal-*": "deny" } }, ["skill", { name: " internal-x" }], "deny"],
  ]);
});

Deno.test("permissionSubjects: what a person is asked about", () => {
  const cases: [string, Record<string, unknown>, string[]][] = [
    ["bash", { command: 'git commit -m "a b"; ls $X > out.txt' }, [
      'git commit -m "a b"',
      "> out.txt",
      "ls $X",
    ]],
    ["bash", { command: " case x in x) y;; esac " }, ["case x in x) y;; esac"]],
    ["bash", { command: "" }, ["*"]],
    ["bash", {}, ["*"]],
    ["read", { filePath: "/project/a" }, ["a"]],
    ["read", { filePath: "/project" }, ["."]],
    ["read", { filePath: "/project/../x/" }, ["/x"]],
    ["grep", { pattern: "x" }, ["."]],
    ["glob", { pattern: "src/**/*.ts" }, ["src"]],
    ["scrape_webpage", { urls: "a.example, b.example" }, ["https://a.example/", "https://b.example/"]],
    ["web_search", { query: "a ||| b" }, ["a", "b"]],
    ["weather_now", { city: "Berlin" }, ["*"]],
    ["question", { question: "x" }, ["*"]],
  ];
  for (const [tool, args, expected] of cases) {
    assert.deepEqual(permissionSubjects(tool, args, { root }), expected);
  }
});

Deno.test("permissionParts: which part of a call is asked about", () => {
  const git = rules({ bash: { "git *": "allow", "rm *": "deny", "*": "ask" } });
  assert.deepEqual(permissionParts(git, "bash", { command: "git log; ls; rm x" }, { root }), [
    { subject: "git log", action: "allow" },
    { subject: "ls", action: "ask" },
    { subject: "rm x", action: "deny" },
  ]);
});

Deno.test("capabilityOf: tools that share a rule", () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ["web_search", {}, "websearch"],
    ["image_search", {}, "websearch"],
    ["scrape_webpage", {}, "webfetch"],
    ["memory", { command: "view" }, "read"],
    ["memory", { command: "delete" }, "edit"],
    ["memory", {}, "edit"],
    ["write", {}, "edit"],
    ["edit", {}, "edit"],
    ["apply_patch", {}, "edit"],
    ["show", {}, "show"],
    ["bash", {}, "bash"],
    ["weather_now", {}, "weather_now"],
  ];
  for (const [tool, args, expected] of cases) assert.equal(capabilityOf(tool, args), expected, tool);
});

Deno.test("stricter: deny before ask before allow", () => {
  const order: PermissionAction[] = ["allow", "ask", "deny"];
  for (const [i, a] of order.entries()) {
    for (const [j, b] of order.entries()) assert.equal(stricter(a, b), order[Math.max(i, j)]);
  }
});
