import { join } from "node:path";

/** The two small HTTP APIs that the tools of fixtures/orders call. */
export interface OrdersApi extends AsyncDisposable {
  /** For `ORDERS_ORIGIN` and `WEATHER_ORIGIN`. */
  origin: string;
  /** Settles when a client asks for a delivery, which is never answered. */
  waiting: Promise<void>;
  /** Settles when that client has closed its connection. */
  closed: Promise<void>;
}

/** The keys that the APIs ask for. */
export const ORDERS_KEYS = {
  ORDERS_API_KEY: "orders-key-5f1c",
  WEATHER_API_KEY: "weather-key-90ab",
} as const;

/**
 * Serves the data files of fixtures/orders on 127.0.0.1, any free port:
 * `/v1/orders/<id>`, `/v1/orders/<id>/delivery` (never answers) and `/v1/current?city=<city>`.
 *
 * @param project Folder with the `data/` of the fixture.
 */
export function startOrdersApi(project: string): OrdersApi {
  const data = (name: string) => JSON.parse(Deno.readTextFileSync(join(project, "data", name)));
  const orders = data("orders.json") as { id: string }[];
  const weather = data("weather.json") as Record<string, unknown>;
  const waiting = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();

  const handle = (request: Request): Response | Promise<Response> => {
    const url = new URL(request.url);
    const has = (key: string) => request.headers.get("authorization") === `Bearer ${key}`;
    const [, id, delivery] = /^\/v1\/orders\/([^/]+)(\/delivery)?$/.exec(url.pathname) ?? [];
    if (id !== undefined && delivery !== undefined) {
      waiting.resolve();
      return new Promise((done) =>
        request.signal.addEventListener("abort", () => {
          closed.resolve();
          done(new Response(null, { status: 499 })); // to nobody, but the server may end
        })
      );
    }
    if (id !== undefined) {
      if (!has(ORDERS_KEYS.ORDERS_API_KEY)) return new Response("no key", { status: 401 });
      const order = orders.find((order) => order.id === id);
      return order === undefined ? new Response("no such order", { status: 404 }) : Response.json(order);
    }
    if (url.pathname === "/v1/current") {
      if (!has(ORDERS_KEYS.WEATHER_API_KEY)) return new Response("no key", { status: 401 });
      const current = weather[url.searchParams.get("city") ?? ""];
      return current === undefined ? new Response("no such city", { status: 404 }) : Response.json(current);
    }
    return new Response("no such page", { status: 404 });
  };

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handle);
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    waiting: waiting.promise,
    closed: closed.promise,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
