import {
  classifyInboundRequest,
  isJsonContentType,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import type { McpDeps } from '../deps.ts';
import type { Tool } from '../tool.ts';
import { findMcpTool } from '../tools/all-tools.ts';
import { answerToolCall, protocolError, toolResult } from './call-tool.ts';
import { serverInfo } from './server.ts';

/*
 * Calls of tools that answer at once, such as list_jobs. For each message, the SDK builds a server,
 * a transport and a web response, and validates the message and the result several times. This takes longer than the
 * tool. The SDK handles every call that differs from the usual one, so all protocol errors come from the SDK. A client
 * of an older revision gets JSON instead of the stream of one event from the SDK: it must accept both.
 */

/** The newest MCP revision whose results this module can write. */
const MODERN = '2026-07-28';

const PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

interface PlainCall {
  readonly id: string | number;
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>> | undefined;
  readonly era: 'modern' | 'legacy';
}

/**
 * Reads a tool call from a message. undefined: the tool does not answer at once, or something in the message is left to
 * the SDK.
 */
export function plainCallOf({ headers }: Request, body: unknown): PlainCall | undefined {
  if (!isMembers(body) || body['method'] !== 'tools/call') return undefined;
  const { id, params } = body;
  if ((typeof id !== 'string' && typeof id !== 'number') || !isMembers(params)) return undefined;
  const { name, arguments: args, _meta: meta = {} } = params;
  const tool = typeof name === 'string' ? findMcpTool(name) : undefined;
  if (tool === undefined || !Object.keys(params).every((key) => PARAMS.has(key))) return undefined;
  if ((args !== undefined && !isMembers(args)) || !isMembers(meta) || meta['progressToken'] !== undefined)
    return undefined;
  if (tool.answersAtOnce?.(args ?? {}) !== true) return undefined;
  const era = eraOf(headers, body, tool.name);
  return era && { id, tool, args, era };
}

/**
 * Returns whether a message is of the newest MCP revision or of an older one. undefined: its header fields are unusual.
 */
function eraOf(headers: Headers, body: unknown, toolName: string): PlainCall['era'] | undefined {
  if (!isJsonContentType(headers.get('content-type'))) return undefined;
  const version = headers.get('mcp-protocol-version');
  const found = classifyInboundRequest({
    ...{ httpMethod: 'POST', body },
    ...(version !== null && { protocolVersionHeader: version }),
  });
  if (found.kind === 'modern') {
    const isUsual = headers.get('mcp-method') === 'tools/call' && headers.get('mcp-name') === toolName;
    return found.messageKind === 'request' && version === MODERN && isUsual ? 'modern' : undefined;
  }
  if (found.kind !== 'legacy' || found.reason !== 'no-claim') return undefined;
  const accept = headers.get('accept') ?? '';
  const acceptsBoth = accept.includes('application/json') && accept.includes('text/event-stream');
  return acceptsBoth && (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) ? 'legacy' : undefined;
}

export async function answerPlainCall(
  { id, tool, args, era }: PlainCall,
  deps: McpDeps,
  call: McpRequest,
): Promise<string> {
  const complete = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: serverInfo(deps) } };
  try {
    // NEVER: these tools answer so soon that nobody can cancel them.
    const answer = await answerToolCall(deps, call, { name: tool.name, arguments: args }, { signal: NEVER });
    const result = { ...toolResult(answer, call.caller), ...(era === 'modern' && complete) };
    return JSON.stringify({ result, jsonrpc: '2.0', id });
  } catch (caught) {
    const { code, message, data } = protocolError(caught, deps);
    return JSON.stringify({ error: { code, message, ...(data !== undefined && { data }) }, jsonrpc: '2.0', id });
  }
}
