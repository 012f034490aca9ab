import type { Context } from "hono";
import { BeeuniError } from "../errors/error.ts";
import type { NewSession, Prompt, SessionEvent, Sessions } from "../sessions/types.ts";
import { checkedBody } from "./checked_body.ts";
import { eventHeaders, type EventReader, type EventReaders, eventText } from "./event_readers.ts";
import { jsonResponse } from "./json_response.ts";
import { readBody, type ReadBodyOptions } from "./read_body.ts";
import * as checks from "./request_checks.js";
import { SESSION_ROUTES } from "./session_routes.ts";
import { ANSWER_BODY, NEW_SESSION, PROMPT_BODY } from "./session_schemas.ts";

/** What the routes of sessions work with. */
export interface SessionHandlersOptions {
  /** The sessions; opened at the first request that needs them. Absent = this daemon has none. */
  sessions: (() => Promise<Sessions>) | undefined;
  /** Who follows sessions. */
  readers: EventReaders;
  /** Limits of request bodies. */
  body?: ReadBodyOptions | undefined;
}

type Handler = (context: Context) => Promise<Response>;

/** The routes of sessions, by their names in the route table. */
export function sessionHandlers(
  options: SessionHandlersOptions,
): Record<keyof typeof SESSION_ROUTES, Handler> {
  const { readers, body } = options;
  const bytesOf = (context: Context) => readBody(context.req.raw, body);
  const idOf = (context: Context) => context.req.param("id") ?? "";
  const open = () => {
    if (options.sessions === undefined) {
      throw new BeeuniError("route_not_found", "this daemon keeps no sessions.");
    }
    return options.sessions();
  };

  return {
    async createSession(context) {
      const given = checkedBody<NewSession>(await bytesOf(context), NEW_SESSION, checks.createSession);
      const { agent, harness, model, prompt, attended } = given;
      const sessions = await open();
      return jsonResponse(
        await sessions.create({
          ...(agent === undefined ? {} : { agent }),
          ...(harness === undefined ? {} : { harness }),
          ...(model === undefined ? {} : { model }),
          ...(prompt === undefined ? {} : { prompt }),
          ...(attended === undefined ? {} : { attended }),
        }),
      );
    },

    listSessions: async () => jsonResponse({ sessions: (await open()).list() }),

    getSession: async (context) => jsonResponse({ session: (await open()).get(idOf(context)) }),

    async promptSession(context) {
      const given = checkedBody<Prompt>(await bytesOf(context), PROMPT_BODY, checks.promptSession);
      const session = (await open()).prompt(idOf(context), given);
      return jsonResponse({ session }, SESSION_ROUTES.promptSession.answer.status);
    },

    async sessionMessages(context) {
      const limit = limitOf(context.req.query("limit"));
      return jsonResponse({ messages: (await open()).messages(idOf(context), limit) });
    },

    async sessionEvents(context) {
      const sessions = await open();
      if (context.req.raw.method === "HEAD") {
        sessions.get(idOf(context));
        return eventHeaders();
      }
      return follow(sessions, idOf(context), readers);
    },

    async stopSession(context) {
      const session = (await open()).stop(idOf(context));
      return jsonResponse({ session }, SESSION_ROUTES.stopSession.answer.status);
    },

    async answerQuestion(context) {
      const bytes = await bytesOf(context);
      const given = checkedBody<{ answer: string; question?: string }>(
        bytes,
        ANSWER_BODY,
        checks.answerQuestion,
      );
      return jsonResponse({ question: (await open()).answer(idOf(context), given) });
    },

    removeSession: async (context) => jsonResponse({ session: await (await open()).remove(idOf(context)) }),
  };
}

/** What happens in a session, as server-sent events; the snapshot comes first, however large it is. */
function follow(sessions: Sessions, id: string, readers: EventReaders): Response {
  let reader: EventReader | undefined;
  let first = "";
  const unfollow = sessions.follow(id, {
    event({ type, ...data }: SessionEvent) {
      if (reader === undefined) first += eventText(type, { type, ...data });
      else reader.send(type, { type, ...data });
    },
    end: () => reader?.close(),
  });
  try {
    reader = readers.connect({ first, onEnd: unfollow });
  } catch (error) {
    unfollow();
    throw error;
  }
  return reader.response;
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (/^\d{1,7}$/.test(text) && limit >= 1 && limit <= 1_000_000) return limit;
  throw new BeeuniError("bad_request", "`limit` must be a number from 1 to 1000000.");
}
