import { BeeuniError } from "../../errors/error.ts";
import { startHost } from "../../host/host.ts";
import type { CallRequest, CallResult, ToolHost } from "../../host/types.ts";
import { createLogger } from "../../log/logger.ts";
import type { Manifest } from "../../manifest/model.ts";
import { checkArguments } from "../check_arguments.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { forbiddenAgent } from "../forbidden_agent.ts";
import { givenArguments } from "../given_arguments.ts";
import { hostSecrets } from "../host_secrets.ts";
import { interruption, unlessAborted } from "../interruption.ts";
import { missingTool } from "../missing_tool.ts";
import { givenPath, openManifest } from "../open_project.ts";
import { parseTimeout } from "../parse_timeout.ts";
import { runState } from "../run_state.ts";

/** Options of {@link toolsCall}. */
export interface ToolsCallOptions extends CommonOptions {
  name: string;
  /** JSON, `@file` or `-`. */
  args?: string;
  agent?: string;
  envFile?: string;
  timeout?: string;
  checkArgs?: boolean;
}

/**
 * `beeuni tools call`: runs one tool through the same host, sandbox and limits as the daemon (specification 2.7).
 *
 * The output goes to stdout; log lines go to stderr.
 *
 * @throws {BeeuniError} what the call ended with, `usage`, `args_invalid`, and what opening the project throws.
 */
export async function toolsCall(options: ToolsCallOptions, { output }: CommandContext): Promise<number> {
  const timeoutMs = options.timeout === undefined ? undefined : parseTimeout(options.timeout);
  using interrupted = interruption();
  const { signal } = interrupted;
  const args = await unlessAborted(
    givenArguments(options.args, () => Deno.stdin.readable),
    signal,
    cancelled,
  );
  const { manifest, engine } = openManifest(options);
  const state = await runState(manifest.root);
  await using _state = state;
  const stateDir = state.path;
  const logger = createLogger({ json: output.json });
  const envFile = givenPath(options.envFile);
  using secrets = hostSecrets(stateDir);
  try {
    await using host = startHost({
      manifest,
      engine,
      stateDir,
      logger,
      onlyTools: [options.name],
      ...secrets.options,
      ...(envFile === undefined ? {} : { envFile }),
    });
    using _progress = output.progress(`${options.name} runs`);
    if (options.checkArgs) {
      await unlessAborted(checkAgainst(host, manifest, options.name, args), signal, cancelled);
    }
    const request: CallRequest = { tool: options.name, args, agent: agentOf(options, host), signal };
    if (timeoutMs !== undefined) request.timeoutMs = timeoutMs;
    const result = await explained(request, host, manifest);
    if (output.json) output.document(resultDocument(result));
    else {output.write(
        result.output === "" || result.output.endsWith("\n") ? result.output : `${result.output}\n`,
      );}
    return 0;
  } finally {
    await logger.flush();
  }
}

async function checkAgainst(
  host: ToolHost,
  manifest: Manifest,
  name: string,
  args: Record<string, unknown>,
): Promise<void> {
  await host.ready;
  const catalogue = host.catalogue();
  const tool = catalogue.tools.find((loaded) => loaded.name === name);
  if (tool === undefined) throw missingTool(name, manifest, catalogue);
  await checkArguments(name, tool.parameters, args);
}

function agentOf({ agent }: ToolsCallOptions, host: ToolHost): string {
  const chosen = agent ?? host.defaultAgent();
  if (chosen !== undefined) return chosen;
  throw new BeeuniError("usage", "the project has several agents and no default one.", {
    hint: "Name the one that calls with --agent.",
  });
}

/** The call, with what the user can do about a tool that is not there, or is not for this agent. */
async function explained(request: CallRequest, host: ToolHost, manifest: Manifest): Promise<CallResult> {
  try {
    return await host.call(request);
  } catch (error) {
    if (!(error instanceof BeeuniError)) throw error;
    if (error.code === "tool_not_found") throw missingTool(request.tool, manifest, host.catalogue());
    if (error.code === "agent_forbidden") {
      throw forbiddenAgent(error, request.agent, [...manifest.agents.keys()]);
    }
    throw error;
  }
}

/** The same names as the daemon's answer. */
function resultDocument({ durationMs, ...result }: CallResult): Record<string, unknown> {
  return { ...result, duration_ms: durationMs };
}

function cancelled(): BeeuniError {
  return new BeeuniError("aborted", "the call was cancelled.");
}
