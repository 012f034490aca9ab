import { BEEUNI_TOOLS } from "../beeuni_tools/registry.ts";
import { HARNESS_TOOLS, TERMINAL_PREFIX } from "./harness_tools.ts";
import { MERGE_KEY } from "./keys.ts";
import * as pattern from "./patterns.ts";

/** A JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * The JSON Schema of the manifest (draft-07, which editors know best): what `beeuni schema` prints, and what every
 * manifest is checked with: `structure_check.js` is ajv's code for it. Where a keyword fails, `structure_rules.ts`
 * says the message. Only what needs other files or entries is checked elsewhere.
 *
 * It has no `anyOf`: each keyword speaks for one type, so that an error has one place and one meaning.
 */
export function manifestSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "https://beeuni.ai/schema/beeuni.yaml.json",
    title: "beeuni.yaml",
    description: "The manifest of a Beeuni project.",
    type: "object",
    propertyNames: notMergeKey,
    properties: {
      beeuni_version: { description: "Version of Beeuni this project was made for." },
      default_agent: {
        description: "The agent for a session or call that names none: one of `agents`.",
        type: "string",
      },
      imports: {
        description: "Further manifest files, and folders of them, relative to the repository's root.",
        type: ["array", "null"],
        items: { type: "string", pattern: pattern.IMPORT_PATH },
      },
      tools: tools(),
      tool_settings: {
        description: "Limits and permissions of single tools.",
        type: ["object", "null"],
        additionalProperties: toolSettings(),
      },
      agents: {
        description: "The agents, each with the tools and secrets it may use.",
        type: ["object", "null"],
        propertyNames: { pattern: pattern.AGENT_NAME, not: { const: MERGE_KEY } },
        additionalProperties: agent(),
      },
      env: {},
      project: {},
      connectors: {},
      harnesses: {},
      sandbox: {},
      triggers: {},
    },
  };
}

const notMergeKey: JsonSchema = { not: { const: MERGE_KEY } };

function tools(): JsonSchema {
  const beeuni = BEEUNI_TOOLS.map((name) => [name, {
    description: `\`beeuni:${name}\`, or the path of a module that replaces it.`,
    type: "string",
    pattern: pattern.beeuniToolValue(name),
  }]);
  return {
    description: "The tools of the project. With this key, sessions get only the Beeuni tools it lists.",
    type: ["object", "null"],
    propertyNames: {
      pattern: pattern.TOOL_NAME,
      not: { anyOf: [{ enum: HARNESS_TOOLS }, { pattern: `^${TERMINAL_PREFIX}` }] },
    },
    properties: Object.fromEntries(beeuni),
    additionalProperties: {
      description: "Repo-relative path of the module.",
      type: "string",
      pattern: pattern.MODULE_PATH,
    },
  };
}

function toolSettings(): JsonSchema {
  const list = (description: string, items: JsonSchema): JsonSchema => ({
    description,
    type: "array",
    items: { type: "string", ...items },
  });
  const paths = (description: string): JsonSchema => ({
    description,
    type: ["array", "boolean"],
    not: { const: true },
    items: { type: "string", pattern: pattern.GRANTED_PATH },
  });
  return {
    type: "object",
    additionalProperties: false,
    properties: {
      timeout: {
        description: "Wall time of one call, from 100ms to 1h; default 120s.",
        type: "string",
        pattern: pattern.DURATION,
        allOf: [{ pattern: pattern.TIMEOUT_RANGE }],
      },
      fresh: { description: "A new worker for every call; default false.", type: "boolean" },
      permissions: {
        description: "Narrows or widens what the tool's sandbox may do.",
        type: "object",
        additionalProperties: false,
        properties: {
          net: {
            description: "Hosts in place of the default; true = the default, false = none.",
            type: ["array", "boolean"],
            items: { type: "string", pattern: pattern.HOST },
          },
          read: paths("Paths beside the default; false takes the default away."),
          write: paths("Paths beside the default; false takes the default away."),
          run: list("Programs it may start, by name.", { pattern: pattern.PROGRAM_NAME }),
          env: list("Variables of the container it sees in process.env.", { pattern: pattern.VARIABLE_NAME }),
          sys: list("Facts about the system it may ask for.", { enum: pattern.SYS_KINDS }),
        },
      },
    },
  };
}

function agent(): JsonSchema {
  return {
    type: ["object", "null"],
    propertyNames: notMergeKey,
    properties: {
      tools: {
        description: "all, none, a list, `exclude: [..]`, or a map of true and false.",
        type: ["string", "array", "object"],
        pattern: "^(?:all|none)$",
        items: { type: "string", pattern: pattern.LISTED_NAME },
        propertyNames: { pattern: pattern.LISTED_NAME, not: { const: MERGE_KEY } },
        properties: {
          exclude: {
            type: ["array", "boolean"],
            items: { type: "string", pattern: pattern.LISTED_NAME },
          },
        },
        additionalProperties: { type: "boolean" },
        if: { properties: { exclude: { type: "array" } }, required: ["exclude"] },
        then: { maxProperties: 1 },
      },
      secrets: {
        description: "all, none, or a list of names; default none.",
        type: ["string", "array"],
        pattern: "^(?:all|none)$",
        items: { type: "string", pattern: pattern.SECRET_NAME },
      },
      permission: {
        description:
          "allow, ask or deny; or for `*`, a capability or a tool one of them, or a map from patterns to them.",
        type: ["string", "object"],
        pattern: pattern.PERMISSION_ACTION,
        propertyNames: { pattern: pattern.PERMISSION_NAME, not: { const: MERGE_KEY } },
        additionalProperties: {
          type: ["string", "object"],
          pattern: pattern.PERMISSION_ACTION,
          propertyNames: { pattern: pattern.PERMISSION_PATTERN, not: { const: MERGE_KEY } },
          additionalProperties: { type: "string", pattern: pattern.PERMISSION_ACTION },
        },
      },
      model: {
        description: "The model it uses: `<provider>/<model>`.",
        type: "string",
        pattern: pattern.MODEL_REF,
      },
      prompt: { description: "What it is told before every conversation.", type: "string" },
      description: { description: "What it is for: other agents read it.", type: "string" },
      mode: {
        description: "primary: for people; subagent: for other agents; all: both (the default).",
        type: "string",
        pattern: pattern.AGENT_MODE,
      },
    },
  };
}
