import assert from "node:assert/strict";
import { join } from "node:path";
import { selfExtracting } from "./self_extracting.ts";
import type { TarEntry } from "./tar.ts";
import { targetOf } from "./targets.ts";

// The header is tested with a shell script in the place of the Deno CLI, which says what it was started with. The
// real executable is tested in tests/executable_test.ts.

const DENO = `#!/bin/sh
[ "$1" = --version ] && exit 0
echo "pid $$"
printf 'dir %s\\n' "$DENO_DIR"
while [ "$#" -gt 0 ]; do
  case $1 in */main.js) break ;; esac
  shift
done
[ "\${2-}" = cat ] && exec cat
[ "\${2-}" = exit ] && exit "$3"
shift
for argument in "$@"; do printf 'arg <%s>\\n' "$argument"; done
`;

const IS_ROOT = Deno.uid() === 0;
const NOBODY = 65534;

interface Scene extends Disposable {
  /** A folder with blanks in its name, with `bin/beeuni`, `cache`, `home` and `tmp` in it. */
  root: string;
  program: string;
  /** Name of the folder that the program is unpacked into. */
  id: string;
}

/** A folder of our own with an executable in it. */
async function scene(deno: string = DENO): Promise<Scene> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "beeuni header " }));
  Deno.chmodSync(root, 0o755);
  for (const name of ["bin", "home", "tmp"]) Deno.mkdirSync(join(root, name));
  const bytes = (text: string) => new TextEncoder().encode(text);
  const files: TarEntry[] = [
    { path: "deno", bytes: bytes(deno), mode: 0o700 },
    { path: "engine.json", bytes: bytes("{}"), mode: 0o600 },
    { path: "engine/host/runner/main.js", bytes: bytes("export {};"), mode: 0o600 },
    { path: "main.js", bytes: bytes("export {};"), mode: 0o600 },
  ];
  const id = "0123456789abcdef";
  const record = { version: "1.2.3", commit: "c0ffee", id, target: "x86_64-unknown-linux-gnu", files: [] };
  const program = join(root, "bin", "beeuni");
  Deno.writeFileSync(program, await selfExtracting({ record, files }, targetOf("linux-x64")), {
    mode: 0o755,
  });
  Deno.chmodSync(program, 0o755);
  return { root, program, id, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

interface StartOptions {
  env?: Record<string, string>;
  args?: string[];
  uid?: number;
  shell?: string[];
  stdin?: string;
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
  /** What the stand-in said it runs in: the parent of its DENO_DIR. */
  place: string;
  /** The process id that was started. */
  pid: number;
}

/** Starts the program with a bare environment: the scene's folders, and no Deno or Node on the path. */
async function start({ root, program }: Scene, options: StartOptions = {}): Promise<Ended> {
  const env = { PATH: "/usr/bin:/bin", XDG_CACHE_HOME: join(root, "cache"), HOME: join(root, "home") };
  const [command = program, ...before] = [...options.shell ?? [], program];
  const child = new Deno.Command(command, {
    args: [...before, ...options.args ?? []],
    env: { ...env, TMPDIR: join(root, "tmp"), ...options.env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  }).spawn();
  const written = new Blob([options.stdin ?? ""]).stream().pipeTo(child.stdin).catch(() => {}); // it may end first
  const { code, stdout, stderr } = await child.output();
  await written;
  const out = new TextDecoder().decode(stdout);
  const place = /^dir (.*)\/deno_dir$/m.exec(out)?.[1] ?? "";
  return { code, stdout: out, stderr: new TextDecoder().decode(stderr), place, pid: child.pid };
}

Deno.test("header: unpacks into the cache, private, and passes the arguments on exactly", async () => {
  using here = await scene();
  const args = ["a  b", "", "*", "$HOME", "`id`", "'\"\\", "two\nlines", "--", "-x", "ü🐝"];
  const { code, stdout, stderr, place, pid } = await start(here, { args });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(place, join(here.root, "cache/beeuni", here.id));
  assert.match(stdout, new RegExp(`^pid ${pid}$`, "m"), "the program takes the place of the shell");
  assert.equal(
    stdout.split("\n").slice(2).join("\n"),
    args.map((argument) => `arg <${argument}>\n`).join(""),
  );
  for (const folder of [place, join(place, "..")]) assert.equal(Deno.statSync(folder).mode! & 0o777, 0o700);
  assert.deepEqual([...Deno.readDirSync(place)].map(({ name }) => name).sort(), [
    "complete",
    "deno",
    "engine",
    "engine.json",
    "main.js",
  ]);
});

Deno.test("header: stdin, stdout and the exit code are the program's", async () => {
  using here = await scene();
  const text = "line\0\xff".repeat(20_000);
  assert.ok((await start(here, { args: ["cat"], stdin: text })).stdout.endsWith(`\n${text}`));
  assert.equal((await start(here, { args: ["exit", "42"] })).code, 42);
});

Deno.test("header: a whole copy is used as it is", async () => {
  using here = await scene();
  const { place } = await start(here);
  const before = Deno.statSync(join(place, "deno")).ino;
  assert.equal((await start(here)).place, place);
  assert.equal(Deno.statSync(join(place, "deno")).ino, before);
});

const ENVIRONMENTS: [name: string, env: (root: string) => Record<string, string>, expected: string][] = [
  ["XDG_CACHE_HOME", () => ({}), "cache/beeuni"],
  ["XDG_CACHE_HOME with a final slash", (root) => ({ XDG_CACHE_HOME: `${root}/cache/` }), "cache/beeuni"],
  ["XDG_CACHE_HOME that is not there", (root) => ({ XDG_CACHE_HOME: `${root}/a/b c` }), "a/b c/beeuni"],
  ["quotes in a path", (root) => ({ XDG_CACHE_HOME: `${root}/it's "$x" \\n *` }), `it's "$x" \\n */beeuni`],
  ["a relative XDG_CACHE_HOME", () => ({ XDG_CACHE_HOME: "cache" }), "home/.cache/beeuni"],
  ["HOME", () => ({ XDG_CACHE_HOME: "" }), "home/.cache/beeuni"],
  ["a cache that can't be made", () => ({ XDG_CACHE_HOME: "/proc/cache" }), "home/.cache/beeuni"],
  ["a cache that is a file", (root) => ({ XDG_CACHE_HOME: `${root}/bin/beeuni` }), "home/.cache/beeuni"],
  [
    "HOME that is not there",
    (root) => ({ XDG_CACHE_HOME: "", HOME: `${root}/none` }),
    `tmp/beeuni-${Deno.uid()}`,
  ],
  ["a line break in a path", (root) => ({ XDG_CACHE_HOME: `${root}/a\nb` }), "home/.cache/beeuni"],
  ["settings of ls", () => ({ QUOTING_STYLE: "c", BLOCK_SIZE: "1M", TIME_STYLE: "x" }), "cache/beeuni"],
  ["settings of tar and gzip", () => ({ TAR_OPTIONS: "--bad", GZIP: "--bad" }), "cache/beeuni"],
  ["an odd IFS and CDPATH", () => ({ IFS: "/e", CDPATH: "/tmp" }), "cache/beeuni"],
  ["an empty PATH", () => ({ PATH: "" }), "cache/beeuni"],
];
for (const [name, env, expected] of ENVIRONMENTS) {
  Deno.test(`header: ${name}`, async () => {
    using here = await scene();
    for (const round of ["first", "second"]) {
      const { code, place, stderr } = await start(here, { env: env(here.root) });
      assert.deepEqual([round, code, stderr], [round, 0, ""]);
      assert.equal(place, join(here.root, expected, here.id));
    }
  });
}

Deno.test("header: through a link, by PATH, and with other shells", async () => {
  using here = await scene();
  Deno.symlinkSync(here.program, join(here.root, "home", "link"));
  const link = { ...here, program: join(here.root, "home", "link") };
  assert.deepEqual((await start(link, { args: ["x"] })).stdout.split("\n").slice(2), ["arg <x>", ""]);
  const byPath = { ...here, program: "beeuni" };
  const env = { PATH: `${join(here.root, "bin")}:/usr/bin:/bin` };
  const viaEnv = await start(byPath, { shell: ["/usr/bin/env"], env, args: ["y"] });
  assert.deepEqual(viaEnv.stdout.split("\n").slice(2), ["arg <y>", ""]);
  for (
    const shell of [["/bin/sh"], ["/bin/bash"], ["/bin/bash", "--posix"], ["/bin/dash"], [
      "/bin/busybox",
      "sh",
    ]]
  ) {
    if (!isThere(shell[0]!)) continue;
    const fresh = { XDG_CACHE_HOME: join(here.root, shell.join("-")) };
    for (const round of ["first", "second"]) {
      const { code, stderr, stdout } = await start(here, { shell, env: fresh, args: ["z"] });
      assert.deepEqual([shell, round, code, stderr], [shell, round, 0, ""]);
      assert.match(stdout, /^arg <z>$/m);
    }
  }
});

Deno.test("header: the umask does not open the cache, and is the user's again afterwards", async () => {
  using here = await scene(DENO.replace("echo", "umask\necho"));
  const { program, ...rest } = here;
  const open = join(here.root, "bin", "open");
  Deno.writeTextFileSync(open, `umask 000\nexec "${program}" "$@"\n`);
  const { code, stdout, place } = await start({ ...rest, program: open }, { shell: ["/bin/sh"] });
  assert.equal(code, 0);
  assert.match(stdout, /^0000$/m);
  assert.equal(Deno.statSync(place).mode! & 0o777, 0o700);
  assert.equal(Deno.statSync(join(place, "deno")).mode! & 0o777, 0o700);
});

Deno.test("header: the user's DENO_DIR is handed on for the program to restore", async () => {
  using here = await scene(`#!/bin/sh\nexport\n`);
  const { stdout } = await start(here, {
    env: { DENO_DIR: "/the user's", BEEUNI_OUTER_DENO_NO_UPDATE_CHECK: "x" },
  });
  assert.match(stdout, /BEEUNI_OUTER_DENO_DIR=.*the user/);
  assert.doesNotMatch(stdout, /BEEUNI_OUTER_DENO_NO_UPDATE_CHECK/);
  assert.match(stdout, /DENO_NO_UPDATE_CHECK=.*1/);
});

Deno.test("header: the time zone is the user's, else the machine's, else UTC", async () => {
  using here = await scene(`#!/bin/sh\necho "TZ=<$TZ>"\n`);
  const zone = async (env: Record<string, string>) => (await start(here, { env })).stdout;
  assert.equal(await zone({ TZ: "Europe/Berlin" }), "TZ=<Europe/Berlin>\n");
  assert.equal(await zone({ TZ: "" }), "TZ=<>\n");
  assert.equal(await zone({}), isThere("/etc/localtime") ? "TZ=<>\n" : "TZ=<UTC>\n");
});

const EVIL = "#!/bin/sh\necho EVIL\n";

/** Puts another program in the place of Deno, as whoever can write there would. */
function plant(place: string): void {
  Deno.writeTextFileSync(join(place, "deno"), EVIL);
  Deno.chmodSync(join(place, "deno"), 0o755);
  const old = new Date(978_307_200_000);
  Deno.utimeSync(join(place, "deno"), old, old);
}

const UNSAFE: [name: string, open: (place: string, root: string) => void, asRoot?: true][] = [
  ["others can write the folder", (place) => Deno.chmodSync(place, 0o702)],
  ["the group can write the folder", (place) => Deno.chmodSync(place, 0o720)],
  ["others can write the folder above", (place) => Deno.chmodSync(join(place, ".."), 0o777)],
  ["others can write the folder above, sticky or not", (place) => Deno.chmodSync(join(place, ".."), 0o1777)],
  ["others can write the cache folder", (place) => Deno.chmodSync(join(place, "../.."), 0o777)],
  ["the folder is somebody else's", (place) => Deno.chownSync(place, NOBODY, NOBODY), true],
  ["the folder above is somebody else's", (place) => Deno.chownSync(join(place, ".."), NOBODY, NOBODY), true],
  [
    "the cache folder is somebody else's",
    (place) => Deno.chownSync(join(place, "../.."), NOBODY, NOBODY),
    true,
  ],
  ["another group can write the cache folder", (place) => {
    Deno.chownSync(join(place, "../.."), 0, NOBODY);
    Deno.chmodSync(join(place, "../.."), 0o775);
  }, true],
  ["the folder above is a link to an open place", (place, root) => {
    Deno.mkdirSync(join(root, "open"));
    Deno.chmodSync(join(root, "open"), 0o777);
    Deno.renameSync(join(place, ".."), join(root, "open/beeuni"));
    Deno.symlinkSync(join(root, "open/beeuni"), join(root, "cache/beeuni"));
  }],
];
for (const [name, open, asRoot] of UNSAFE) {
  Deno.test({
    name: `header: not executed where ${name}`,
    ignore: asRoot === true && !IS_ROOT,
    fn: async () => {
      using here = await scene();
      const { place } = await start(here);
      // The same size, the same time: only owner and mode can tell.
      Deno.writeTextFileSync(join(place, "deno"), EVIL.padEnd(DENO.length, "#"));
      plant(place);
      Deno.writeTextFileSync(join(place, "deno"), EVIL.padEnd(DENO.length, "#"));
      const old = new Date(978_307_200_000);
      Deno.utimeSync(join(place, "deno"), old, old);
      assert.match((await start(here)).stdout, /EVIL/, "the planted program would run in a private folder");
      open(place, here.root);
      const after = await start(here, { args: ["x"] });
      assert.deepEqual([after.code, after.stderr], [0, ""]);
      assert.doesNotMatch(after.stdout, /EVIL/);
      assert.equal(after.place, join(here.root, "home/.cache/beeuni", here.id));
    },
  });
}

Deno.test("header: no safe folder at all is said", async () => {
  using here = await scene();
  // Root may do everything in /tmp; what is tried last there is refused by its mode.
  const shared = `/tmp/beeuni-${Deno.uid()}`;
  const env = { XDG_CACHE_HOME: "/proc/x", HOME: "/proc", TMPDIR: "/proc" };
  if (isThere(shared)) return;
  Deno.writeTextFileSync(shared, "");
  try {
    const { code, stdout, stderr } = await start(here, { env });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(
      stderr,
      "beeuni: the program found no folder to unpack itself into.\n" +
        "  → Set XDG_CACHE_HOME to a folder that you can write and no other user can.\n",
    );
  } finally {
    Deno.removeSync(shared);
  }
});

const DAMAGE: [name: string, damage: (place: string) => void][] = [
  ["a file cut short", (place) => Deno.truncateSync(join(place, "deno"), 3)],
  ["an empty file with the old time", (place) => {
    Deno.truncateSync(join(place, "main.js"), 0);
    const old = new Date(978_307_200_000);
    Deno.utimeSync(join(place, "main.js"), old, old);
  }],
  ["bytes changed in place", (place) => {
    Deno.writeTextFileSync(join(place, "engine/host/runner/main.js"), "EXPORT {};");
  }],
  ["a file missing", (place) => Deno.removeSync(join(place, "engine.json"))],
  ["a folder missing", (place) => Deno.removeSync(join(place, "engine"), { recursive: true })],
  ["a folder in the place of a file", (place) => {
    Deno.removeSync(join(place, "main.js"));
    Deno.mkdirSync(join(place, "main.js/x"), { recursive: true });
  }],
  ["a link in the place of a file", (place) => {
    Deno.removeSync(join(place, "deno"));
    Deno.symlinkSync("/bin/true", join(place, "deno"));
  }],
  ["the marker missing", (place) => Deno.removeSync(join(place, "complete"))],
  ["a program that may not be run", (place) => Deno.chmodSync(join(place, "deno"), 0o600)],
  ["what a start that was killed left", (place) => {
    Deno.removeSync(join(place, "complete"));
    Deno.mkdirSync(join(place, "lock"));
    Deno.writeTextFileSync(join(place, "lock/owner"), "999999999\n");
    Deno.mkdirSync(join(place, "new.999999998/engine"), { recursive: true });
  }],
];
for (const [name, damage] of DAMAGE) {
  Deno.test(`header: repairs ${name}`, async () => {
    using here = await scene();
    const { place } = await start(here);
    damage(place);
    const { code, stdout, stderr } = await start(here, { args: ["x"] });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^arg <x>$/m);
    const read = (path: string) => Deno.readTextFileSync(join(place, path));
    assert.deepEqual([read("deno"), read("engine/host/runner/main.js"), read("main.js")], [
      DENO,
      "export {};",
      "export {};",
    ]);
    assert.ok(
      !isThere(join(place, "lock")) && ![...Deno.readDirSync(place)].some(({ name }) => /^new/.test(name)),
    );
  });
}

for (const [name, prepare] of [["an empty cache", undefined], ...DAMAGE.slice(0, 2)] as const) {
  Deno.test(`header: 20 starts at once, ${name}`, async () => {
    using here = await scene();
    if (prepare !== undefined) prepare((await start(here)).place);
    const ended = await Promise.all(Array.from({ length: 20 }, (_, n) => start(here, { args: [`n${n}`] })));
    for (const [n, { code, stdout, stderr }] of ended.entries()) {
      assert.deepEqual([n, code, stderr], [n, 0, ""]);
      assert.match(stdout, new RegExp(`^arg <n${n}>$`, "m"));
    }
    const left = [...Deno.readDirSync(ended[0]!.place)].map(({ name }) => name).sort();
    assert.deepEqual(left, ["complete", "deno", "engine", "engine.json", "main.js"]);
  });
}

Deno.test({
  name: "header: another user gets a folder of its own; a read-only cache that is whole is used",
  ignore: !IS_ROOT,
  fn: async () => {
    using here = await scene();
    Deno.chmodSync(join(here.root, "tmp"), 0o1777);
    const other = await start(here, { uid: NOBODY, args: ["x"] });
    assert.deepEqual([other.code, other.stderr], [0, ""]);
    assert.equal(other.place, join(here.root, `tmp/beeuni-${NOBODY}`, here.id));
    for (const path of [other.place, join(other.place, "..")]) Deno.chmodSync(path, 0o700);
    for (const { name, isFile } of Deno.readDirSync(other.place)) {
      if (isFile) Deno.chmodSync(join(other.place, name), name === "deno" ? 0o500 : 0o400);
    }
    Deno.chmodSync(join(here.root, "tmp"), 0o755);
    const again = await start(here, { uid: NOBODY, args: ["y"] });
    assert.deepEqual([again.code, again.stderr, again.place], [0, "", other.place]);
  },
});

for (const options of ["ro", "noexec", "size=4k"]) {
  Deno.test({
    name: `header: a cache folder mounted with ${options} is left for the next one`,
    ignore: !IS_ROOT || !canMount(),
    fn: async () => {
      using here = await scene();
      const cache = join(here.root, "cache");
      Deno.mkdirSync(cache);
      const script = 'mount -t tmpfs -o "mode=755,$1" none "$2" && shift 2 && "$@" x && exec "$@" y';
      const shell = ["unshare", "--mount", "sh", "-c", script, "sh", options, cache];
      const { code, stdout, stderr, place } = await start(here, { shell });
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /^arg <x>$[^]*^arg <y>$/m);
      assert.equal(place, join(here.root, "home/.cache/beeuni", here.id));
    },
  });
}

/** Whether this machine lets us make a mount namespace. */
function canMount(): boolean {
  try {
    return new Deno.Command("unshare", { args: ["--mount", "true"], stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test("header: a damaged executable is said, and nothing of it runs", async () => {
  for (const damage of ["cut", "changed"]) {
    using here = await scene();
    const bytes = Deno.readFileSync(here.program);
    if (damage === "changed") bytes[bytes.length - 60]! ^= 1;
    Deno.writeFileSync(here.program, damage === "cut" ? bytes.subarray(0, bytes.length - 100) : bytes);
    const { code, stdout, stderr } = await start(here);
    assert.deepEqual([damage, code, stdout], [damage, 1, ""]);
    assert.equal(stderr, `beeuni: the program file ${here.program} is damaged.\n  → Install it anew.\n`);
  }
});

Deno.test("header: a machine that can't run the Deno CLI is said", async () => {
  using here = await scene("#!/bin/sh\nexit 127\n");
  const { code, stderr } = await start(here);
  assert.equal(code, 1);
  assert.equal(
    stderr,
    "beeuni: this machine can't run the program.\n  → It is made for Linux with glibc on x64.\n",
  );
});

Deno.test("header: a working directory that was removed is said", async () => {
  using here = await scene();
  for (const shell of ["sh", "bash"]) {
    const gone = join(here.root, "gone");
    Deno.mkdirSync(gone);
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", `cd "$1" && rmdir "$1" && exec ${shell} "$2"`, "sh", gone, here.program],
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: join(here.root, "home") },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert.deepEqual([code, text(stdout)], [1, ""], shell);
    // The shell itself may say something before.
    assert.ok(
      text(stderr).endsWith(
        "beeuni: the working directory does not exist any more.\n  → Change to a folder that is there.\n",
      ),
      text(stderr),
    );
  }
});

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
