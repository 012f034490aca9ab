import assert from "node:assert/strict";
import { runnerEnv } from "./runner_env.ts";

Deno.test("runnerEnv: only what finds programs, the proxy and certificates", () => {
  const passed = {
    PATH: "/bin",
    HOME: "/home/u",
    LANG: "de",
    LC_ALL: "C",
    LC_TIME: "C",
    TZ: "UTC",
    HTTP_PROXY: "p",
    https_proxy: "p",
    NO_PROXY: "n",
    no_proxy: "n",
    SSL_CERT_FILE: "f",
    SSL_CERT_DIR: "d",
    DENO_CERT: "c",
    NODE_EXTRA_CA_CERTS: "c",
    DENO_TLS_CA_STORE: "system",
  };
  const dropped = {
    BEEUNI_TOKEN: "t",
    TAVILY_API_KEY: "k",
    LD_PRELOAD: "x.so",
    NODE_OPTIONS: "--require x",
    DENO_V8_FLAGS: "--jitless",
    DENO_AUTH_TOKENS: "a",
    TMPDIR: "/elsewhere",
    LCX: "1",
    SSH_AUTH_SOCK: "/s",
  };
  assert.deepEqual(runnerEnv({ ...passed, ...dropped }, { tmp: "/t", denoDir: "/d" }), {
    ...passed,
    NO_COLOR: "1",
    TMPDIR: "/t",
    DENO_DIR: "/d",
    DENO_NO_UPDATE_CHECK: "1",
  });
});

Deno.test("runnerEnv: programs are not looked for in the checkout", () => {
  const env = runnerEnv({ PATH: "/usr/bin::.:bin:./node_modules/.bin:/opt/x" }, { tmp: "/t", denoDir: "/d" });
  assert.equal(env.PATH, "/usr/bin:/opt/x");
});
