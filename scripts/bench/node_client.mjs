// The reference client: a plain keep-alive client of Node, as an application would have it (`node:http` with an
// `Agent`). The goals were measured with it, on every side. It sends one request over and over and prints how long
// each took; argument and output are those of `load_client.ts`. Runs under Node, and under Deno where there is none.
import { Buffer } from "node:buffer";
import { Agent, request as httpRequest } from "node:http";
import process from "node:process";

const { port, requests, clients, count, expect } = JSON.parse(process.argv[2]);

function connection(index) {
  const { path, headers, body } = requests[Math.min(index, requests.length - 1)];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const options = {
    host: "127.0.0.1",
    port,
    path,
    agent,
    method: "POST",
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
  };
  const exchange = () =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(options, (answer) => {
        answer.setEncoding("utf8");
        let text = "";
        answer.on("data", (piece) => text += piece);
        answer.on("error", reject);
        answer.on("end", () => {
          if (answer.statusCode === 200 && text.includes(expect)) resolve();
          else reject(new Error(`unexpected answer: ${answer.statusCode} ${text}`));
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return { exchange, close: () => agent.destroy() };
}

const connections = Array.from({ length: clients }, (_, index) => connection(index));

async function round(count) {
  const times = [];
  let left = count;
  await Promise.all(connections.map(async ({ exchange }) => {
    while (left-- > 0) {
      const start = performance.now();
      await exchange();
      times.push(performance.now() - start);
    }
  }));
  return times;
}

/** Nearest rank, as in `percentile.ts`. */
function percentile(samples, part) {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}

await round(Math.ceil(count / 10));
const start = performance.now();
const times = await round(count);
const seconds = (performance.now() - start) / 1000;
for (const { close } of connections) close();
process.stdout.write(JSON.stringify({
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  rate: times.length / seconds,
}));
