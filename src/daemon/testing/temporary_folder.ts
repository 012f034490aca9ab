/** An empty folder for one test, with every link resolved; removed when it is disposed. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "beeuni-daemon-test-" }));
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
