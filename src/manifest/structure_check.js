// Made by scripts/generate_manifest_check.ts from schema.ts: don't change it by hand.
// deno-lint-ignore-file
// deno-fmt-ignore-file
// @ts-self-types="./structure_check.d.ts"
"use strict";
export const validate = validate10;
export default validate10;
const schema11 = {"$schema":"http://json-schema.org/draft-07/schema#","$id":"https://beeuni.ai/schema/beeuni.yaml.json","title":"beeuni.yaml","description":"The manifest of a Beeuni project.","type":"object","propertyNames":{"not":{"const":"<<"}},"properties":{"beeuni_version":{"description":"Version of Beeuni this project was made for."},"default_agent":{"description":"The agent for a session or call that names none: one of `agents`.","type":"string"},"imports":{"description":"Further manifest files, and folders of them, relative to the repository's root.","type":["array","null"],"items":{"type":"string","pattern":"^(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\*?\\[\\]{}\\u0000-\\u001f\\u007f]+$"}},"tools":{"description":"The tools of the project. With this key, sessions get only the Beeuni tools it lists.","type":["object","null"],"propertyNames":{"pattern":"^[a-z][a-z0-9_]{0,63}$","not":{"anyOf":[{"enum":["bash","read","write","edit","apply_patch","glob","grep","list","task","question","todowrite","todoread","webfetch","websearch","skill","lsp","invalid","execute","plan_exit","plan_enter","codesearch","patch","external_directory","doom_loop","list_mcp_resources","list_mcp_resource_templates","read_mcp_resource"]},{"pattern":"^pty_"}]}},"properties":{"web_search":{"description":"`beeuni:web_search`, or the path of a module that replaces it.","type":"string","pattern":"^(?:beeuni:web_search|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"},"image_search":{"description":"`beeuni:image_search`, or the path of a module that replaces it.","type":"string","pattern":"^(?:beeuni:image_search|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"},"scrape_webpage":{"description":"`beeuni:scrape_webpage`, or the path of a module that replaces it.","type":"string","pattern":"^(?:beeuni:scrape_webpage|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"},"memory":{"description":"`beeuni:memory`, or the path of a module that replaces it.","type":"string","pattern":"^(?:beeuni:memory|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"},"show":{"description":"`beeuni:show`, or the path of a module that replaces it.","type":"string","pattern":"^(?:beeuni:show|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"}},"additionalProperties":{"description":"Repo-relative path of the module.","type":"string","pattern":"^(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs)$"}},"tool_settings":{"description":"Limits and permissions of single tools.","type":["object","null"],"additionalProperties":{"type":"object","additionalProperties":false,"properties":{"timeout":{"description":"Wall time of one call, from 100ms to 1h; default 120s.","type":"string","pattern":"^[1-9][0-9]*(ms|s|m|h)$","allOf":[{"pattern":"^(?:(?:[1-9][0-9]{2,5}|[12][0-9]{6}|3[0-5][0-9]{5}|3600000)ms|(?:[1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2}|3600)s|(?:[1-9]|[1-5][0-9]|60)m|1h)$"}]},"fresh":{"description":"A new worker for every call; default false.","type":"boolean"},"permissions":{"description":"Narrows or widens what the tool's sandbox may do.","type":"object","additionalProperties":false,"properties":{"net":{"description":"Hosts in place of the default; true = the default, false = none.","type":["array","boolean"],"items":{"type":"string","pattern":"^(?:(?:(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])|\\[(?:(?:[0-9A-Fa-f]{1,4}:){6}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|::(?:[0-9A-Fa-f]{1,4}:){5}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,0}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){4}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,1}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){3}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,2}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){2}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,3}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){1}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,4}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){0}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,5}[0-9A-Fa-f]{1,4})?::[0-9A-Fa-f]{1,4}|(?:(?:[0-9A-Fa-f]{1,4}:){0,6}[0-9A-Fa-f]{1,4})?::)\\])(?::(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?|\\*\\.(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?|(?:(?:[0-9A-Fa-f]{1,4}:){6}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|::(?:[0-9A-Fa-f]{1,4}:){5}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,0}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){4}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,1}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){3}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,2}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){2}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,3}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){1}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,4}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){0}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,5}[0-9A-Fa-f]{1,4})?::[0-9A-Fa-f]{1,4}|(?:(?:[0-9A-Fa-f]{1,4}:){0,6}[0-9A-Fa-f]{1,4})?::))$"}},"read":{"description":"Paths beside the default; false takes the default away.","type":["array","boolean"],"not":{"const":true},"items":{"type":"string","pattern":"^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]+$"}},"write":{"description":"Paths beside the default; false takes the default away.","type":["array","boolean"],"not":{"const":true},"items":{"type":"string","pattern":"^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]+$"}},"run":{"description":"Programs it may start, by name.","type":"array","items":{"type":"string","pattern":"^[A-Za-z0-9_+][A-Za-z0-9_.+-]*$"}},"env":{"description":"Variables of the container it sees in process.env.","type":"array","items":{"type":"string","pattern":"^[A-Za-z_][A-Za-z0-9_]*$"}},"sys":{"description":"Facts about the system it may ask for.","type":"array","items":{"type":"string","enum":["hostname","osRelease","osUptime","loadavg","networkInterfaces","systemMemoryInfo","uid","gid","username","cpus","homedir","statfs","getPriority","setPriority","userInfo"]}}}}}}},"agents":{"description":"The agents, each with the tools and secrets it may use.","type":["object","null"],"propertyNames":{"pattern":"^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]{1,128}$","not":{"const":"<<"}},"additionalProperties":{"type":["object","null"],"propertyNames":{"not":{"const":"<<"}},"properties":{"tools":{"description":"all, none, a list, `exclude: [..]`, or a map of true and false.","type":["string","array","object"],"pattern":"^(?:all|none)$","items":{"type":"string","pattern":"^[^\\u0000-\\u001f\\u007f]+$"},"propertyNames":{"pattern":"^[^\\u0000-\\u001f\\u007f]+$","not":{"const":"<<"}},"properties":{"exclude":{"type":["array","boolean"],"items":{"type":"string","pattern":"^[^\\u0000-\\u001f\\u007f]+$"}}},"additionalProperties":{"type":"boolean"},"if":{"properties":{"exclude":{"type":"array"}},"required":["exclude"]},"then":{"maxProperties":1}},"secrets":{"description":"all, none, or a list of names; default none.","type":["string","array"],"pattern":"^(?:all|none)$","items":{"type":"string","pattern":"^[A-Z_][A-Z0-9_]{0,63}$"}},"permission":{"description":"allow, ask or deny; or for `*`, a capability or a tool one of them, or a map from patterns to them.","type":["string","object"],"pattern":"^(?:allow|ask|deny)$","propertyNames":{"pattern":"^(?:\\*|[^*?\\u0000-\\u001f\\u007f]+)$","not":{"const":"<<"}},"additionalProperties":{"type":["string","object"],"pattern":"^(?:allow|ask|deny)$","propertyNames":{"pattern":"^[^\\u0000]+$","not":{"const":"<<"}},"additionalProperties":{"type":"string","pattern":"^(?:allow|ask|deny)$"}}},"model":{"description":"The model it uses: `<provider>/<model>`.","type":"string","pattern":"^[^/\\s]+/[^\\s]+$"},"prompt":{"description":"What it is told before every conversation.","type":"string"},"description":{"description":"What it is for: other agents read it.","type":"string"},"mode":{"description":"primary: for people; subagent: for other agents; all: both (the default).","type":"string","pattern":"^(?:primary|subagent|all)$"}}}},"env":{},"project":{},"connectors":{},"harnesses":{},"sandbox":{},"triggers":{}}};
const pattern0 = new RegExp("^(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\*?\\[\\]{}\\u0000-\\u001f\\u007f]+$", "u");
const pattern1 = new RegExp("^pty_", "u");
const pattern2 = new RegExp("^[a-z][a-z0-9_]{0,63}$", "u");
const pattern3 = new RegExp("^(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs)$", "u");
const pattern4 = new RegExp("^(?:beeuni:web_search|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$", "u");
const pattern5 = new RegExp("^(?:beeuni:image_search|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$", "u");
const pattern6 = new RegExp("^(?:beeuni:scrape_webpage|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$", "u");
const pattern7 = new RegExp("^(?:beeuni:memory|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$", "u");
const pattern8 = new RegExp("^(?:beeuni:show|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$", "u");
const pattern9 = new RegExp("^(?:(?:[1-9][0-9]{2,5}|[12][0-9]{6}|3[0-5][0-9]{5}|3600000)ms|(?:[1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2}|3600)s|(?:[1-9]|[1-5][0-9]|60)m|1h)$", "u");
const pattern10 = new RegExp("^[1-9][0-9]*(ms|s|m|h)$", "u");
const pattern11 = new RegExp("^(?:(?:(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])|\\[(?:(?:[0-9A-Fa-f]{1,4}:){6}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|::(?:[0-9A-Fa-f]{1,4}:){5}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,0}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){4}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,1}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){3}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,2}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){2}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,3}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){1}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,4}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){0}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,5}[0-9A-Fa-f]{1,4})?::[0-9A-Fa-f]{1,4}|(?:(?:[0-9A-Fa-f]{1,4}:){0,6}[0-9A-Fa-f]{1,4})?::)\\])(?::(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?|\\*\\.(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?|(?:(?:[0-9A-Fa-f]{1,4}:){6}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|::(?:[0-9A-Fa-f]{1,4}:){5}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,0}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){4}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,1}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){3}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,2}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){2}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,3}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){1}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,4}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){0}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,5}[0-9A-Fa-f]{1,4})?::[0-9A-Fa-f]{1,4}|(?:(?:[0-9A-Fa-f]{1,4}:){0,6}[0-9A-Fa-f]{1,4})?::))$", "u");
const pattern12 = new RegExp("^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]+$", "u");
const pattern14 = new RegExp("^[A-Za-z0-9_+][A-Za-z0-9_.+-]*$", "u");
const pattern15 = new RegExp("^[A-Za-z_][A-Za-z0-9_]*$", "u");
const pattern16 = new RegExp("^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]{1,128}$", "u");
const pattern17 = new RegExp("^(?:all|none)$", "u");
const pattern18 = new RegExp("^[^\\u0000-\\u001f\\u007f]+$", "u");
const pattern22 = new RegExp("^[A-Z_][A-Z0-9_]{0,63}$", "u");
const pattern23 = new RegExp("^(?:allow|ask|deny)$", "u");
const pattern24 = new RegExp("^(?:\\*|[^*?\\u0000-\\u001f\\u007f]+)$", "u");
const pattern26 = new RegExp("^[^\\u0000]+$", "u");
const pattern28 = new RegExp("^[^/\\s]+/[^\\s]+$", "u");
const pattern29 = new RegExp("^(?:primary|subagent|all)$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="https://beeuni.ai/schema/beeuni.yaml.json" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const _errs1 = errors;
const _errs2 = errors;
const _errs3 = errors;
if("<<" !== key0){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var valid1 = _errs3 === errors;
if(valid1){
const err1 = {instancePath,schemaPath:"#/propertyNames/not",keyword:"not",params:{},propertyName:key0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
errors = _errs2;
if(vErrors !== null){
if(_errs2){
vErrors.length = _errs2;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs1 === errors;
if(!valid0){
const err2 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.default_agent !== undefined){
if(typeof data.default_agent !== "string"){
const err3 = {instancePath:instancePath+"/default_agent",schemaPath:"#/properties/default_agent/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.imports !== undefined){
let data1 = data.imports;
if((!(Array.isArray(data1))) && (data1 !== null)){
const err4 = {instancePath:instancePath+"/imports",schemaPath:"#/properties/imports/type",keyword:"type",params:{type: schema11.properties.imports.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
const err5 = {instancePath:instancePath+"/imports/" + i0,schemaPath:"#/properties/imports/items/pattern",keyword:"pattern",params:{pattern: "^(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\*?\\[\\]{}\\u0000-\\u001f\\u007f]+$"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/imports/" + i0,schemaPath:"#/properties/imports/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
}
if(data.tools !== undefined){
let data3 = data.tools;
if((!(data3 && typeof data3 == "object" && !Array.isArray(data3))) && (data3 !== null)){
const err7 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/type",keyword:"type",params:{type: schema11.properties.tools.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key1 in data3){
const _errs12 = errors;
const _errs13 = errors;
const _errs14 = errors;
const _errs15 = errors;
let valid7 = false;
const _errs16 = errors;
if(!(((((((((((((((((((((((((((key1 === "bash") || (key1 === "read")) || (key1 === "write")) || (key1 === "edit")) || (key1 === "apply_patch")) || (key1 === "glob")) || (key1 === "grep")) || (key1 === "list")) || (key1 === "task")) || (key1 === "question")) || (key1 === "todowrite")) || (key1 === "todoread")) || (key1 === "webfetch")) || (key1 === "websearch")) || (key1 === "skill")) || (key1 === "lsp")) || (key1 === "invalid")) || (key1 === "execute")) || (key1 === "plan_exit")) || (key1 === "plan_enter")) || (key1 === "codesearch")) || (key1 === "patch")) || (key1 === "external_directory")) || (key1 === "doom_loop")) || (key1 === "list_mcp_resources")) || (key1 === "list_mcp_resource_templates")) || (key1 === "read_mcp_resource"))){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid0 = _errs16 === errors;
valid7 = valid7 || _valid0;
if(!valid7){
const _errs17 = errors;
if(typeof key1 === "string"){
if(!pattern1.test(key1)){
const err9 = {};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
var _valid0 = _errs17 === errors;
valid7 = valid7 || _valid0;
}
if(!valid7){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
errors = _errs15;
if(vErrors !== null){
if(_errs15){
vErrors.length = _errs15;
}
else {
vErrors = null;
}
}
}
var valid6 = _errs14 === errors;
if(valid6){
const err11 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/propertyNames/not",keyword:"not",params:{},propertyName:key1};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
else {
errors = _errs13;
if(vErrors !== null){
if(_errs13){
vErrors.length = _errs13;
}
else {
vErrors = null;
}
}
}
if(typeof key1 === "string"){
if(!pattern2.test(key1)){
const err12 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[a-z][a-z0-9_]{0,63}$"},propertyName:key1};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
var valid5 = _errs12 === errors;
if(!valid5){
const err13 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/propertyNames",keyword:"propertyNames",params:{propertyName: key1}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
for(const key2 in data3){
if(!(((((key2 === "web_search") || (key2 === "image_search")) || (key2 === "scrape_webpage")) || (key2 === "memory")) || (key2 === "show"))){
let data4 = data3[key2];
if(typeof data4 === "string"){
if(!pattern3.test(data4)){
const err14 = {instancePath:instancePath+"/tools/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/tools/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs)$"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/tools/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/tools/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
if(data3.web_search !== undefined){
let data5 = data3.web_search;
if(typeof data5 === "string"){
if(!pattern4.test(data5)){
const err16 = {instancePath:instancePath+"/tools/web_search",schemaPath:"#/properties/tools/properties/web_search/pattern",keyword:"pattern",params:{pattern: "^(?:beeuni:web_search|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/tools/web_search",schemaPath:"#/properties/tools/properties/web_search/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data3.image_search !== undefined){
let data6 = data3.image_search;
if(typeof data6 === "string"){
if(!pattern5.test(data6)){
const err18 = {instancePath:instancePath+"/tools/image_search",schemaPath:"#/properties/tools/properties/image_search/pattern",keyword:"pattern",params:{pattern: "^(?:beeuni:image_search|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/tools/image_search",schemaPath:"#/properties/tools/properties/image_search/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data3.scrape_webpage !== undefined){
let data7 = data3.scrape_webpage;
if(typeof data7 === "string"){
if(!pattern6.test(data7)){
const err20 = {instancePath:instancePath+"/tools/scrape_webpage",schemaPath:"#/properties/tools/properties/scrape_webpage/pattern",keyword:"pattern",params:{pattern: "^(?:beeuni:scrape_webpage|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/tools/scrape_webpage",schemaPath:"#/properties/tools/properties/scrape_webpage/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data3.memory !== undefined){
let data8 = data3.memory;
if(typeof data8 === "string"){
if(!pattern7.test(data8)){
const err22 = {instancePath:instancePath+"/tools/memory",schemaPath:"#/properties/tools/properties/memory/pattern",keyword:"pattern",params:{pattern: "^(?:beeuni:memory|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/tools/memory",schemaPath:"#/properties/tools/properties/memory/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data3.show !== undefined){
let data9 = data3.show;
if(typeof data9 === "string"){
if(!pattern8.test(data9)){
const err24 = {instancePath:instancePath+"/tools/show",schemaPath:"#/properties/tools/properties/show/pattern",keyword:"pattern",params:{pattern: "^(?:beeuni:show|(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs))$"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/tools/show",schemaPath:"#/properties/tools/properties/show/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
}
if(data.tool_settings !== undefined){
let data10 = data.tool_settings;
if((!(data10 && typeof data10 == "object" && !Array.isArray(data10))) && (data10 !== null)){
const err26 = {instancePath:instancePath+"/tool_settings",schemaPath:"#/properties/tool_settings/type",keyword:"type",params:{type: schema11.properties.tool_settings.type}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
for(const key3 in data10){
let data11 = data10[key3];
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
for(const key4 in data11){
if(!(((key4 === "timeout") || (key4 === "fresh")) || (key4 === "permissions"))){
const err27 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/tool_settings/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data11.timeout !== undefined){
let data12 = data11.timeout;
if(typeof data12 === "string"){
if(!pattern9.test(data12)){
const err28 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/timeout",schemaPath:"#/properties/tool_settings/additionalProperties/properties/timeout/allOf/0/pattern",keyword:"pattern",params:{pattern: "^(?:(?:[1-9][0-9]{2,5}|[12][0-9]{6}|3[0-5][0-9]{5}|3600000)ms|(?:[1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2}|3600)s|(?:[1-9]|[1-5][0-9]|60)m|1h)$"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(typeof data12 === "string"){
if(!pattern10.test(data12)){
const err29 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/timeout",schemaPath:"#/properties/tool_settings/additionalProperties/properties/timeout/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]*(ms|s|m|h)$"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/timeout",schemaPath:"#/properties/tool_settings/additionalProperties/properties/timeout/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data11.fresh !== undefined){
if(typeof data11.fresh !== "boolean"){
const err31 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/fresh",schemaPath:"#/properties/tool_settings/additionalProperties/properties/fresh/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data11.permissions !== undefined){
let data14 = data11.permissions;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
for(const key5 in data14){
if(!((((((key5 === "net") || (key5 === "read")) || (key5 === "write")) || (key5 === "run")) || (key5 === "env")) || (key5 === "sys"))){
const err32 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data14.net !== undefined){
let data15 = data14.net;
if((!(Array.isArray(data15))) && (typeof data15 !== "boolean")){
const err33 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/net",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/net/type",keyword:"type",params:{type: schema11.properties.tool_settings.additionalProperties.properties.permissions.properties.net.type}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(Array.isArray(data15)){
const len1 = data15.length;
for(let i1=0; i1<len1; i1++){
let data16 = data15[i1];
if(typeof data16 === "string"){
if(!pattern11.test(data16)){
const err34 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/net/" + i1,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/net/items/pattern",keyword:"pattern",params:{pattern: "^(?:(?:(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])|\\[(?:(?:[0-9A-Fa-f]{1,4}:){6}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|::(?:[0-9A-Fa-f]{1,4}:){5}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,0}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){4}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,1}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){3}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,2}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){2}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,3}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){1}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,4}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){0}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,5}[0-9A-Fa-f]{1,4})?::[0-9A-Fa-f]{1,4}|(?:(?:[0-9A-Fa-f]{1,4}:){0,6}[0-9A-Fa-f]{1,4})?::)\\])(?::(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?|\\*\\.(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?|(?:(?:[0-9A-Fa-f]{1,4}:){6}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|::(?:[0-9A-Fa-f]{1,4}:){5}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,0}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){4}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,1}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){3}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,2}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){2}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,3}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){1}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,4}[0-9A-Fa-f]{1,4})?::(?:[0-9A-Fa-f]{1,4}:){0}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]))|(?:(?:[0-9A-Fa-f]{1,4}:){0,5}[0-9A-Fa-f]{1,4})?::[0-9A-Fa-f]{1,4}|(?:(?:[0-9A-Fa-f]{1,4}:){0,6}[0-9A-Fa-f]{1,4})?::))$"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/net/" + i1,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/net/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
}
if(data14.read !== undefined){
let data17 = data14.read;
if((!(Array.isArray(data17))) && (typeof data17 !== "boolean")){
const err36 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/read",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/read/type",keyword:"type",params:{type: schema11.properties.tool_settings.additionalProperties.properties.permissions.properties.read.type}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
const _errs51 = errors;
const _errs52 = errors;
if(true !== data17){
const err37 = {};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
var valid16 = _errs52 === errors;
if(valid16){
const err38 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/read",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/read/not",keyword:"not",params:{}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
else {
errors = _errs51;
if(vErrors !== null){
if(_errs51){
vErrors.length = _errs51;
}
else {
vErrors = null;
}
}
}
if(Array.isArray(data17)){
const len2 = data17.length;
for(let i2=0; i2<len2; i2++){
let data18 = data17[i2];
if(typeof data18 === "string"){
if(!pattern12.test(data18)){
const err39 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/read/" + i2,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/read/items/pattern",keyword:"pattern",params:{pattern: "^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]+$"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/read/" + i2,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/read/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
}
if(data14.write !== undefined){
let data19 = data14.write;
if((!(Array.isArray(data19))) && (typeof data19 !== "boolean")){
const err41 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/write",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/write/type",keyword:"type",params:{type: schema11.properties.tool_settings.additionalProperties.properties.permissions.properties.write.type}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
const _errs57 = errors;
const _errs58 = errors;
if(true !== data19){
const err42 = {};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
var valid19 = _errs58 === errors;
if(valid19){
const err43 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/write",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/write/not",keyword:"not",params:{}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
else {
errors = _errs57;
if(vErrors !== null){
if(_errs57){
vErrors.length = _errs57;
}
else {
vErrors = null;
}
}
}
if(Array.isArray(data19)){
const len3 = data19.length;
for(let i3=0; i3<len3; i3++){
let data20 = data19[i3];
if(typeof data20 === "string"){
if(!pattern12.test(data20)){
const err44 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/write/" + i3,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/write/items/pattern",keyword:"pattern",params:{pattern: "^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]+$"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
else {
const err45 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/write/" + i3,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/write/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
}
}
if(data14.run !== undefined){
let data21 = data14.run;
if(Array.isArray(data21)){
const len4 = data21.length;
for(let i4=0; i4<len4; i4++){
let data22 = data21[i4];
if(typeof data22 === "string"){
if(!pattern14.test(data22)){
const err46 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/run/" + i4,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/run/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_+][A-Za-z0-9_.+-]*$"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
else {
const err47 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/run/" + i4,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/run/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
else {
const err48 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/run",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/run/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data14.env !== undefined){
let data23 = data14.env;
if(Array.isArray(data23)){
const len5 = data23.length;
for(let i5=0; i5<len5; i5++){
let data24 = data23[i5];
if(typeof data24 === "string"){
if(!pattern15.test(data24)){
const err49 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/env/" + i5,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/env/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z_][A-Za-z0-9_]*$"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
else {
const err50 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/env/" + i5,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/env/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
}
else {
const err51 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/env",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/env/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data14.sys !== undefined){
let data25 = data14.sys;
if(Array.isArray(data25)){
const len6 = data25.length;
for(let i6=0; i6<len6; i6++){
let data26 = data25[i6];
if(typeof data26 !== "string"){
const err52 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/sys/" + i6,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/sys/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(!(((((((((((((((data26 === "hostname") || (data26 === "osRelease")) || (data26 === "osUptime")) || (data26 === "loadavg")) || (data26 === "networkInterfaces")) || (data26 === "systemMemoryInfo")) || (data26 === "uid")) || (data26 === "gid")) || (data26 === "username")) || (data26 === "cpus")) || (data26 === "homedir")) || (data26 === "statfs")) || (data26 === "getPriority")) || (data26 === "setPriority")) || (data26 === "userInfo"))){
const err53 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/sys/" + i6,schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/sys/items/enum",keyword:"enum",params:{allowedValues: schema11.properties.tool_settings.additionalProperties.properties.permissions.properties.sys.items.enum}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
else {
const err54 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions/sys",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/properties/sys/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
}
else {
const err55 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/permissions",schemaPath:"#/properties/tool_settings/additionalProperties/properties/permissions/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
}
else {
const err56 = {instancePath:instancePath+"/tool_settings/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/tool_settings/additionalProperties/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
}
if(data.agents !== undefined){
let data27 = data.agents;
if((!(data27 && typeof data27 == "object" && !Array.isArray(data27))) && (data27 !== null)){
const err57 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/type",keyword:"type",params:{type: schema11.properties.agents.type}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
for(const key6 in data27){
const _errs75 = errors;
const _errs76 = errors;
const _errs77 = errors;
if("<<" !== key6){
const err58 = {};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
var valid29 = _errs77 === errors;
if(valid29){
const err59 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/propertyNames/not",keyword:"not",params:{},propertyName:key6};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
else {
errors = _errs76;
if(vErrors !== null){
if(_errs76){
vErrors.length = _errs76;
}
else {
vErrors = null;
}
}
}
if(typeof key6 === "string"){
if(!pattern16.test(key6)){
const err60 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/propertyNames/pattern",keyword:"pattern",params:{pattern: "^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]{1,128}$"},propertyName:key6};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
var valid28 = _errs75 === errors;
if(!valid28){
const err61 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/propertyNames",keyword:"propertyNames",params:{propertyName: key6}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
for(const key7 in data27){
let data28 = data27[key7];
if((!(data28 && typeof data28 == "object" && !Array.isArray(data28))) && (data28 !== null)){
const err62 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/type",keyword:"type",params:{type: schema11.properties.agents.additionalProperties.type}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
for(const key8 in data28){
const _errs81 = errors;
const _errs82 = errors;
const _errs83 = errors;
if("<<" !== key8){
const err63 = {};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
var valid32 = _errs83 === errors;
if(valid32){
const err64 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/propertyNames/not",keyword:"not",params:{},propertyName:key8};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
else {
errors = _errs82;
if(vErrors !== null){
if(_errs82){
vErrors.length = _errs82;
}
else {
vErrors = null;
}
}
}
var valid31 = _errs81 === errors;
if(!valid31){
const err65 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/propertyNames",keyword:"propertyNames",params:{propertyName: key8}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data28.tools !== undefined){
let data29 = data28.tools;
if((!data29 || typeof data29 != "object") && (typeof data29 !== "string")){
const err66 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools",schemaPath:"#/properties/agents/additionalProperties/properties/tools/type",keyword:"type",params:{type: schema11.properties.agents.additionalProperties.properties.tools.type}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
const _errs86 = errors;
let valid34 = true;
const _errs87 = errors;
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
let missing0;
if((data29.exclude === undefined) && (missing0 = "exclude")){
const err67 = {};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
else {
if(data29.exclude !== undefined){
if(!(Array.isArray(data29.exclude))){
const err68 = {};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
}
}
var _valid1 = _errs87 === errors;
errors = _errs86;
if(vErrors !== null){
if(_errs86){
vErrors.length = _errs86;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs90 = errors;
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
if(Object.keys(data29).length > 1){
const err69 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools",schemaPath:"#/properties/agents/additionalProperties/properties/tools/then/maxProperties",keyword:"maxProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
var _valid1 = _errs90 === errors;
valid34 = _valid1;
}
if(!valid34){
const err70 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools",schemaPath:"#/properties/agents/additionalProperties/properties/tools/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if(typeof data29 === "string"){
if(!pattern17.test(data29)){
const err71 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools",schemaPath:"#/properties/agents/additionalProperties/properties/tools/pattern",keyword:"pattern",params:{pattern: "^(?:all|none)$"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(Array.isArray(data29)){
const len7 = data29.length;
for(let i7=0; i7<len7; i7++){
let data31 = data29[i7];
if(typeof data31 === "string"){
if(!pattern18.test(data31)){
const err72 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools/" + i7,schemaPath:"#/properties/agents/additionalProperties/properties/tools/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]+$"}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
else {
const err73 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools/" + i7,schemaPath:"#/properties/agents/additionalProperties/properties/tools/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
}
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
for(const key9 in data29){
const _errs93 = errors;
const _errs94 = errors;
const _errs95 = errors;
if("<<" !== key9){
const err74 = {};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
var valid39 = _errs95 === errors;
if(valid39){
const err75 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools",schemaPath:"#/properties/agents/additionalProperties/properties/tools/propertyNames/not",keyword:"not",params:{},propertyName:key9};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
else {
errors = _errs94;
if(vErrors !== null){
if(_errs94){
vErrors.length = _errs94;
}
else {
vErrors = null;
}
}
}
if(typeof key9 === "string"){
if(!pattern18.test(key9)){
const err76 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools",schemaPath:"#/properties/agents/additionalProperties/properties/tools/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]+$"},propertyName:key9};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
var valid38 = _errs93 === errors;
if(!valid38){
const err77 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools",schemaPath:"#/properties/agents/additionalProperties/properties/tools/propertyNames",keyword:"propertyNames",params:{propertyName: key9}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
for(const key10 in data29){
if(!(key10 === "exclude")){
if(typeof data29[key10] !== "boolean"){
const err78 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/properties/tools/additionalProperties/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
}
if(data29.exclude !== undefined){
let data33 = data29.exclude;
if((!(Array.isArray(data33))) && (typeof data33 !== "boolean")){
const err79 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools/exclude",schemaPath:"#/properties/agents/additionalProperties/properties/tools/properties/exclude/type",keyword:"type",params:{type: schema11.properties.agents.additionalProperties.properties.tools.properties.exclude.type}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
if(Array.isArray(data33)){
const len8 = data33.length;
for(let i8=0; i8<len8; i8++){
let data34 = data33[i8];
if(typeof data34 === "string"){
if(!pattern18.test(data34)){
const err80 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools/exclude/" + i8,schemaPath:"#/properties/agents/additionalProperties/properties/tools/properties/exclude/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]+$"}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
else {
const err81 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools/exclude/" + i8,schemaPath:"#/properties/agents/additionalProperties/properties/tools/properties/exclude/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
}
}
}
}
if(data28.secrets !== undefined){
let data35 = data28.secrets;
if((typeof data35 !== "string") && (!(Array.isArray(data35)))){
const err82 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/secrets",schemaPath:"#/properties/agents/additionalProperties/properties/secrets/type",keyword:"type",params:{type: schema11.properties.agents.additionalProperties.properties.secrets.type}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
if(typeof data35 === "string"){
if(!pattern17.test(data35)){
const err83 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/secrets",schemaPath:"#/properties/agents/additionalProperties/properties/secrets/pattern",keyword:"pattern",params:{pattern: "^(?:all|none)$"}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
if(Array.isArray(data35)){
const len9 = data35.length;
for(let i9=0; i9<len9; i9++){
let data36 = data35[i9];
if(typeof data36 === "string"){
if(!pattern22.test(data36)){
const err84 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/secrets/" + i9,schemaPath:"#/properties/agents/additionalProperties/properties/secrets/items/pattern",keyword:"pattern",params:{pattern: "^[A-Z_][A-Z0-9_]{0,63}$"}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
else {
const err85 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/secrets/" + i9,schemaPath:"#/properties/agents/additionalProperties/properties/secrets/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
}
}
if(data28.permission !== undefined){
let data37 = data28.permission;
if((typeof data37 !== "string") && (!(data37 && typeof data37 == "object" && !Array.isArray(data37)))){
const err86 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission",schemaPath:"#/properties/agents/additionalProperties/properties/permission/type",keyword:"type",params:{type: schema11.properties.agents.additionalProperties.properties.permission.type}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
if(typeof data37 === "string"){
if(!pattern23.test(data37)){
const err87 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission",schemaPath:"#/properties/agents/additionalProperties/properties/permission/pattern",keyword:"pattern",params:{pattern: "^(?:allow|ask|deny)$"}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
for(const key11 in data37){
const _errs109 = errors;
const _errs110 = errors;
const _errs111 = errors;
if("<<" !== key11){
const err88 = {};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
var valid47 = _errs111 === errors;
if(valid47){
const err89 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission",schemaPath:"#/properties/agents/additionalProperties/properties/permission/propertyNames/not",keyword:"not",params:{},propertyName:key11};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
else {
errors = _errs110;
if(vErrors !== null){
if(_errs110){
vErrors.length = _errs110;
}
else {
vErrors = null;
}
}
}
if(typeof key11 === "string"){
if(!pattern24.test(key11)){
const err90 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission",schemaPath:"#/properties/agents/additionalProperties/properties/permission/propertyNames/pattern",keyword:"pattern",params:{pattern: "^(?:\\*|[^*?\\u0000-\\u001f\\u007f]+)$"},propertyName:key11};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
var valid46 = _errs109 === errors;
if(!valid46){
const err91 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission",schemaPath:"#/properties/agents/additionalProperties/properties/permission/propertyNames",keyword:"propertyNames",params:{propertyName: key11}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
for(const key12 in data37){
let data38 = data37[key12];
if((typeof data38 !== "string") && (!(data38 && typeof data38 == "object" && !Array.isArray(data38)))){
const err92 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/properties/permission/additionalProperties/type",keyword:"type",params:{type: schema11.properties.agents.additionalProperties.properties.permission.additionalProperties.type}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
if(typeof data38 === "string"){
if(!pattern23.test(data38)){
const err93 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/properties/permission/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^(?:allow|ask|deny)$"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data38 && typeof data38 == "object" && !Array.isArray(data38)){
for(const key13 in data38){
const _errs115 = errors;
const _errs116 = errors;
const _errs117 = errors;
if("<<" !== key13){
const err94 = {};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
var valid50 = _errs117 === errors;
if(valid50){
const err95 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/properties/permission/additionalProperties/propertyNames/not",keyword:"not",params:{},propertyName:key13};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
else {
errors = _errs116;
if(vErrors !== null){
if(_errs116){
vErrors.length = _errs116;
}
else {
vErrors = null;
}
}
}
if(typeof key13 === "string"){
if(!pattern26.test(key13)){
const err96 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/properties/permission/additionalProperties/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]+$"},propertyName:key13};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
var valid49 = _errs115 === errors;
if(!valid49){
const err97 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/properties/permission/additionalProperties/propertyNames",keyword:"propertyNames",params:{propertyName: key13}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
for(const key14 in data38){
let data39 = data38[key14];
if(typeof data39 === "string"){
if(!pattern23.test(data39)){
const err98 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission/" + key12.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/properties/permission/additionalProperties/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^(?:allow|ask|deny)$"}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
else {
const err99 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/permission/" + key12.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/agents/additionalProperties/properties/permission/additionalProperties/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
}
}
}
}
if(data28.model !== undefined){
let data40 = data28.model;
if(typeof data40 === "string"){
if(!pattern28.test(data40)){
const err100 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/model",schemaPath:"#/properties/agents/additionalProperties/properties/model/pattern",keyword:"pattern",params:{pattern: "^[^/\\s]+/[^\\s]+$"}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
else {
const err101 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/model",schemaPath:"#/properties/agents/additionalProperties/properties/model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
if(data28.prompt !== undefined){
if(typeof data28.prompt !== "string"){
const err102 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/prompt",schemaPath:"#/properties/agents/additionalProperties/properties/prompt/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
if(data28.description !== undefined){
if(typeof data28.description !== "string"){
const err103 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/description",schemaPath:"#/properties/agents/additionalProperties/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data28.mode !== undefined){
let data43 = data28.mode;
if(typeof data43 === "string"){
if(!pattern29.test(data43)){
const err104 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/mode",schemaPath:"#/properties/agents/additionalProperties/properties/mode/pattern",keyword:"pattern",params:{pattern: "^(?:primary|subagent|all)$"}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
else {
const err105 = {instancePath:instancePath+"/agents/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/mode",schemaPath:"#/properties/agents/additionalProperties/properties/mode/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
}
}
}
}
}
else {
const err106 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}
