import { classifyInboundRequest, isJsonContentType, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { isMembers } from '../../domain/members.ts';
import type { McpDeps, McpRequest } from '../deps.ts';
import type { Tool } from '../tool.ts';
import { findMcpTool } from '../tools/all-tools.ts';
import { answerToolCall, toolResult } from './call-tool.ts';
import { protocolError } from './protocol-error.ts';
import { serverInfo } from './server.ts';

/*
 * Calls of tools that answer at once, such as get_job, which clients poll. For each message, the SDK builds a server, a transport and
 * a web response, and validates the message and the result several times: that takes longer than such a tool. The SDK
 * handles every call that differs in anything from the usual one, and so words all errors of the protocol.
 */

/** The revision of the protocol whose results are written here. */
const REVISION = '2026-07-28';

const PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/** Such a tool is not worth the signal that aborts it. */
const NEVER = new AbortController().signal;

interface PlainCall {
  readonly id: string | number;
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

/** The call in a message, if the tool answers at once and the SDK would only pass the call on. */
export function plainCallOf({ headers }: Request, body: unknown): PlainCall | undefined {
  const [version, method, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((one) => headers.get(one));
  if (version !== REVISION || method !== 'tools/call' || !isJsonContentType(headers.get('content-type')))
    return undefined;
  const tool = findMcpTool(name ?? '');
  if (tool?.answersAtOnce !== true) return undefined;
  const found = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: version,
    mcpMethodHeader: method,
    body,
  });
  if (found.kind !== 'modern' || found.messageKind !== 'request') return undefined;
  const { id, params } = found.message;
  if (!isMembers(params) || params['name'] !== name || !Object.keys(params).every((key) => PARAMS.has(key)))
    return undefined;
  const { arguments: args, _meta: meta } = params;
  if (args !== undefined && !isMembers(args)) return undefined;
  return isMembers(meta) && meta['progressToken'] === undefined ? { id, tool, args } : undefined;
}

/** The JSON of the reply to a call. */
export async function answerPlainCall({ id, tool, args }: PlainCall, deps: McpDeps, call: McpRequest): Promise<string> {
  const outcome = await answerToolCall(deps, call, { name: tool.name, arguments: args }, { signal: NEVER }).then(
    (answer) => ({
      result: {
        ...toolResult(answer, call.caller),
        resultType: 'complete',
        _meta: { [SERVER_INFO_META_KEY]: serverInfo(deps) },
      },
    }),
    (caught: unknown) => {
      const { code, message } = protocolError(caught, deps);
      return { error: { code, message } };
    },
  );
  return JSON.stringify({ ...outcome, jsonrpc: '2.0', id });
}
