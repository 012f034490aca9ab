import assert from "node:assert/strict";
import { type BunFile, file } from "./bun_file.ts";
import { write, type WriteInput } from "./write.ts";

/** Runs a test in a temporary folder. */
function inFolder(name: string, test: (folder: string) => Promise<void>): void {
  Deno.test(name, async () => {
    const folder = Deno.makeTempDirSync({ prefix: "bun-file-" });
    try {
      await test(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  });
}

inFolder("Bun.file reads a file in every form", async (folder) => {
  const path = `${folder}/a.json`;
  Deno.writeTextFileSync(path, '\ufeff{"é":1}');
  const json = file(path);
  assert.ok(json instanceof Blob);
  assert.equal(json.size, 11);
  assert.equal(json.type, "application/json;charset=utf-8");
  assert.equal(json.name, path);
  assert.equal(json.lastModified, Deno.statSync(path).mtime?.getTime());
  assert.equal(await json.exists(), true);
  assert.equal(await json.text(), '{"é":1}');
  assert.deepEqual(await json.json(), { é: 1 });
  assert.equal((await json.bytes()).length, 11);
  assert.equal((await json.arrayBuffer()).byteLength, 11);
  assert.equal(await json.stream().text(), '{"é":1}');
  assert.deepEqual(await json.stream().json(), { é: 1 });
  assert.equal((await json.stream().bytes()).length, 11);
  assert.equal((await json.stat()).size, 11);
  assert.equal(await file(new URL(`file://${path}`)).exists(), true);
  assert.equal(await file(new TextEncoder().encode(path)).exists(), true);
});

inFolder("Bun.file stands wherever a Blob does", async (folder) => {
  Deno.writeTextFileSync(`${folder}/a.txt`, "content");
  const text = file(`${folder}/a.txt`);
  const response = new Response(text);
  assert.equal(response.headers.get("content-type"), "text/plain;charset=utf-8");
  assert.equal(await response.text(), "content");
  assert.equal(await new Blob([text, "!"]).text(), "content!");
  const form = new FormData();
  form.append("upload", text, "name.txt");
  assert.match(
    await new Response(form).text(),
    /filename="name.txt"\r\nContent-Type: text\/plain;charset=utf-8\r\n\r\ncontent\r\n/,
  );
  assert.equal(await new Request("http://localhost", { method: "POST", body: text }).text(), "content");
});

inFolder("Bun.file slices lazily", async (folder) => {
  const path = `${folder}/a.txt`;
  Deno.writeTextFileSync(path, "0123456789");
  const whole = file(path);
  const cases: [BunFile, string][] = [
    [whole.slice(2, 5), "234"],
    [whole.slice(7), "789"],
    [whole.slice(-3, -1), "78"],
    [whole.slice(5, 2), ""],
    [whole.slice(3, 100), "3456789"],
    [whole.slice(2, 8).slice(1, 3), "34"],
    [whole.slice(2, 4).slice(1, 9), "3"],
    [whole.slice(), "0123456789"],
  ];
  for (const [slice, text] of cases) {
    assert.equal(await slice.text(), text);
    assert.equal(slice.size, text.length);
    assert.equal(await new Response(slice).text(), text);
    assert.equal(new TextDecoder().decode(slice.bytesSync()), text);
  }
  assert.equal(whole.slice(0, 2, "text/html").type, "text/html;charset=utf-8");
  assert.equal(whole.slice(1, "text/css").type, "text/css;charset=utf-8");
  assert.equal(whole.slice("text/css").type, "text/css;charset=utf-8");
  const later = file(`${folder}/later`).slice(1, 3);
  Deno.writeTextFileSync(`${folder}/later`, "abcd");
  assert.equal(await later.text(), "bc");
});

inFolder("Bun.file tells what is missing as Node does", async (folder) => {
  const path = `${folder}/nowhere.txt`;
  const missing = file(path);
  assert.equal(missing.size, 0);
  assert.equal(missing.lastModified, 0);
  assert.equal(await missing.exists(), false);
  assert.equal(await file(`${folder}/a/b`).exists(), false);
  assert.equal(await file(folder).exists(), false);
  const uses: [() => Promise<unknown>, string][] = [
    [() => missing.text(), "open"],
    [() => missing.json(), "open"],
    [() => missing.bytes(), "open"],
    [() => missing.stream().text(), "open"],
    [() => missing.slice(1).text(), "open"],
    [() => missing.delete(), "unlink"],
    [() => write(`${folder}/copy`, missing), "open"],
  ];
  for (const [use, syscall] of uses) {
    await assert.rejects(use, {
      code: "ENOENT",
      syscall,
      path,
      message: `ENOENT: no such file or directory, ${syscall} '${path}'`,
    });
  }
  // the destination was not touched
  assert.equal(await file(`${folder}/copy`).exists(), false);
});

Deno.test("Bun.file takes a path, a file: URL or the bytes of a path", () => {
  assert.equal(file("a b.txt").name, "a b.txt");
  assert.equal(file(new URL("file:///a%20b")).name, "/a b");
  assert.equal(file("a.json", { type: "text/html" }).type, "text/html;charset=utf-8");
  for (const path of [undefined, null, {}, true]) assert.throws(() => file(path as never), TypeError);
  assert.throws(() => file(new URL("http://a/b")), TypeError);
  assert.throws(() => file(1 as never), {
    message: "Bun.file with a file descriptor is not available in this runtime: use a path",
  });
});

inFolder("Bun.write writes every kind of content and gives its bytes", async (folder) => {
  const source = file(`${folder}/source.txt`);
  Deno.writeTextFileSync(source.name, "from a file");
  const shared = new SharedArrayBuffer(2);
  new Uint8Array(shared).set([104, 105]);
  const cases: [WriteInput, string][] = [
    ["héllo", "héllo"],
    ["", ""],
    [new Uint8Array([104, 105]), "hi"],
    [new Uint16Array([0x6968]), "hi"],
    [new TextEncoder().encode("hi").buffer, "hi"],
    [shared, "hi"],
    [new DataView(new TextEncoder().encode("xhix").buffer, 1, 2), "hi"],
    [new Blob(["a", "b"]), "ab"],
    [source, "from a file"],
    [source.slice(5, 6), "a"],
    [new Response("response"), "response"],
    [new Response(null), ""],
    [new Request("http://localhost", { method: "POST", body: "request" }), "request"],
    [new Response("stream").body!, "stream"],
    [["a", new Blob(["b"])], "ab"],
    [12 as never, "12"],
  ];
  for (const [index, [input, text]] of cases.entries()) {
    const path = `${folder}/deep/${index}/out.txt`;
    assert.equal(await write(path, input), new TextEncoder().encode(text).length);
    assert.equal(Deno.readTextFileSync(path), text);
  }
});

inFolder("Bun.write replaces files, makes folders, and keeps a file copied onto itself", async (folder) => {
  const path = `${folder}/x/y.txt`;
  await write(path, "long content");
  await write(file(path), "short");
  assert.equal(Deno.readTextFileSync(path), "short");
  assert.equal(await write(path, file(`${folder}/x/../x/y.txt`)), 5);
  assert.equal(Deno.readTextFileSync(path), "short");
  await write(new URL(`file://${folder}/url.txt`), "url");
  assert.equal(Deno.readTextFileSync(`${folder}/url.txt`), "url");
  await write(`${folder}/run.sh`, "", { mode: 0o755 });
  assert.equal((Deno.statSync(`${folder}/run.sh`).mode ?? 0) & 0o777, 0o755);
  await assert.rejects(write(`${folder}/no/file`, "x", { createPath: false }), { code: "ENOENT" });
  await assert.rejects(write(folder, "x"), { code: "EISDIR" });
  assert.equal(await file(path).write("by the file"), 11);
});

Deno.test("Bun.write refuses what is no destination or no content", async () => {
  await assert.rejects(write("x", null as never), /expects a Blob-y thing to write/);
  await assert.rejects(write("x", undefined as never), /expects a Blob-y thing to write/);
  await assert.rejects(write(undefined as never, "x"), /"destination" argument must be/);
  await assert.rejects(write(1 as never, "x"), /Bun\.write with a file descriptor is not available/);
  const used = new Response("x");
  await used.text();
  await assert.rejects(write("x", used), { name: "TypeError", code: "ERR_BODY_ALREADY_USED" });
});

inFolder("a file's writer keeps small pieces until it is flushed", async (folder) => {
  const path = `${folder}/w.txt`;
  Deno.writeTextFileSync(path, "what was there before");
  const writer = file(path).writer({ highWaterMark: 8 });
  const piece = new Uint8Array([65, 66]);
  assert.deepEqual([writer.write("é"), writer.write(piece)], [2, 2]);
  piece.fill(0);
  assert.equal(Deno.readTextFileSync(path), "what was there before");
  assert.equal(writer.flush(), 4);
  assert.equal(Deno.readTextFileSync(path), "éAB");
  writer.write("12345678");
  assert.equal(Deno.readTextFileSync(path), "éAB12345678");
  writer.write("end");
  assert.equal(await writer.end(), 3);
  assert.equal(writer.write("late"), 0);
  assert.equal(Deno.readTextFileSync(path), "éAB12345678end");
  await file(path).unlink();
  assert.equal(await file(path).exists(), false);
  assert.throws(() => file(`${folder}/no/w.txt`).writer().end(), { code: "ENOENT" });
});
