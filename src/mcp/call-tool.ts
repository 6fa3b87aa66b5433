import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { requireScope } from '../auth/scopes.ts';
import { nearest } from '../domain/closest-match.ts';
import { Problem } from '../domain/problem.ts';
import type { McpCall } from './call.ts';
import type { McpDeps } from './deps.ts';
import { parse } from './parse.ts';
import type { ToolAnswer, ToolContext } from './tool.ts';
import { internalProblem, toolError } from './tool-error.ts';
import { TOOL_NAMES, toolNamed } from './tools.ts';

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

/** Runs one tool. What the caller can mend is a result, which a model sees; an unknown tool is a protocol error. */
export async function callTool(
  deps: McpDeps,
  call: McpCall,
  { name, arguments: args = {} }: CallParams,
  context: ServerContext,
): Promise<ToolAnswer | { readonly error: Problem }> {
  const found = toolNamed(name);
  if (found === undefined) throw unknownTool(name);
  try {
    for (const scope of found.scopes) requireScope(call.caller, scope);
    const { signal } = context.mcpReq;
    const progress = progressOf(context);
    return await found.run(parse(found.input, args), { deps, call, signal, ...(progress && { progress }) });
  } catch (error) {
    if (error instanceof Problem && error.code !== 'INTERNAL') return { error };
    deps.onFault(error);
    return { error: internalProblem(error) };
  }
}

/** The result as the protocol has it: the JSON twice, as data and as text, and links. */
export function toolResult(answer: ToolAnswer | { readonly error: Problem }): CallToolResult {
  if ('error' in answer) {
    const structured = toolError(answer.error);
    return { isError: true, content: [asText(structured)], structuredContent: { ...structured } };
  }
  const { structured, links = [] } = answer;
  return { content: [asText(structured), ...links], structuredContent: { ...structured } };
}

const asText = (value: object) => ({ type: 'text' as const, text: JSON.stringify(value) });

function progressOf({ mcpReq }: ServerContext): ToolContext['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (percent, message) =>
    mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: percent, total: 100, message },
    });
}

function unknownTool(name: string): ProtocolError {
  const near = nearest(name, TOOL_NAMES);
  const hint = near === undefined ? `There are: ${TOOL_NAMES.join(', ')}.` : `Did you mean ${near}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name.slice(0, 64)}". ${hint}`);
}
