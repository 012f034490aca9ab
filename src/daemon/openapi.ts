import { ERROR_CODES, type ErrorCode } from "../errors/codes.ts";
import { COMMON_ERRORS, KEY_ERRORS, type Route, ROUTES } from "./routes.ts";
import { ERROR } from "./schemas.ts";

/** The OpenAPI 3.1 document of the daemon, made from the table that also checks requests (specification 2.7). */
export function openapiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of Object.entries<Route>(ROUTES)) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(id, route);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Beeuni daemon",
      version,
      description: "Runs the tools of one project, each in its own sandbox.",
    },
    paths,
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "The content of `tool-bridge.key` in the state directory.",
        },
      },
      schemas: { Error: ERROR },
    },
    security: [{ key: [] }],
  };
}

function operation(id: string, route: Route): Record<string, unknown> {
  const { answer } = route;
  return {
    operationId: id,
    summary: route.summary,
    ...(route.open ? { security: [] } : {}),
    ...(route.parameters === undefined ? {} : {
      parameters: route.parameters.map((parameter) => ({ ...parameter, required: parameter.in === "path" })),
    }),
    ...(route.body === undefined ? {} : {
      requestBody: { required: false, content: { "application/json": { schema: route.body } } },
    }),
    responses: {
      [answer.status]: {
        description: answer.description,
        content: { [answer.type]: { schema: answer.schema } },
      },
      ...errorResponses(route),
    },
  };
}

/** One response per HTTP status; codes that share one are named together. */
function errorResponses(route: Route): Record<string, unknown> {
  const codes: readonly ErrorCode[] = [...(route.open ? [] : KEY_ERRORS), ...route.errors, ...COMMON_ERRORS];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...byStatus.get(status) ?? [], code]);
  }
  const responses: Record<string, unknown> = {};
  for (const [status, names] of byStatus) {
    responses[status] = {
      description: names.map((name) => `\`${name}\``).join(", "),
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    };
  }
  return responses;
}
