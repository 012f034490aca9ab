import { BeeuniError } from "../errors/error.ts";
import { errorResponse, knownError } from "./error_response.ts";

/** A server that listens. */
export interface Server {
  /** `http://<host>:<port>`, as a client on this machine reaches it. */
  url: string;
  port: number;
  /**
   * Takes no new connections and lets answers go out, but waits for clients that don't take theirs no longer than
   * `withinMs`; such connections end with the process.
   */
  close(withinMs: number): Promise<void>;
}

/** Where to listen. */
export interface ListenOptions {
  /** Address or name of an interface of this machine. */
  hostname: string;
  /** 0 = any free port. */
  port: number;
}

/**
 * Listens for HTTP requests.
 *
 * @throws {BeeuniError} `port_in_use`, or `usage` when the address can't be listened on.
 */
export function listen(
  { hostname, port }: ListenOptions,
  handler: (request: Request) => Response | Promise<Response>,
): Server {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  let server: Deno.HttpServer<Deno.NetAddr>;
  try {
    server = Deno.serve({
      hostname: bare,
      port,
      // Where it listens is said by whoever started it.
      onListen: () => {},
      onError: (error) => errorResponse(knownError(error)),
    }, handler);
  } catch (cause) {
    throw listenError(cause, hostname, port);
  }
  const { addr } = server;
  let closing: Promise<unknown> | undefined;
  return {
    url: `http://${urlHost(bare)}:${addr.port}`,
    port: addr.port,
    async close(withinMs) {
      // Deno can't close a connection by force once it was told to end in an orderly way.
      closing ??= Promise.all([server.shutdown(), server.finished]);
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, withinMs);
      await Promise.race([closing, late.promise]).finally(() => clearTimeout(timer));
    },
  };
}

/** The name to reach an address by: "all addresses" is none to connect to. */
function urlHost(hostname: string): string {
  if (hostname === "0.0.0.0") return "127.0.0.1";
  if (hostname === "::") return "[::1]";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

function listenError(cause: unknown, hostname: string, port: number): BeeuniError {
  if (cause instanceof Deno.errors.AddrInUse) {
    return new BeeuniError("port_in_use", `port ${port} of ${hostname} is in use.`, {
      hint: "Choose another one with --port, or 0 for any that is free.",
      cause,
    });
  }
  const reason = cause instanceof Deno.errors.PermissionDenied
    ? "the system does not allow it"
    : "it is no address of this machine";
  return new BeeuniError("usage", `the daemon can't listen on ${hostname}, port ${port}: ${reason}.`, {
    hint: "Choose others with --host and --port.",
    cause,
  });
}
