import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { ToolError } from '../../packages/service/src/mcp/results/tool-error.ts';

/** The ways in which the official client negotiates a protocol revision, and the resulting revision. */
export const NEGOTIATION_MODES = [
  ['legacy', '2025-11-25', {}],
  ['auto', '2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ['pinned', '2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
] as const satisfies readonly (readonly [mode: string, revision: string, options: ClientOptions])[];

/**
 * The official client, connected with a token. Closed after the test. A concurrent test passes the `onTestFinished` of
 * its context, as Vitest may add the imported one to another test.
 */
export async function mcpClient(
  url: string,
  token: string,
  options: ClientOptions = NEGOTIATION_MODES[1][2],
  atEnd: typeof onTestFinished = onTestFinished,
): Promise<Client> {
  const client = new Client({ name: 'a test', version: '1.0.0' }, options);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  atEnd(() => client.close());
  return client;
}

/** A result, which its text has whole. */
export function resultOf<T>({ content }: Pick<CallToolResult, 'content'>): T {
  const [first] = content;
  return JSON.parse(first?.type === 'text' ? first.text : '') as T;
}

/** Calls a tool that must succeed. */
export async function callTool<T>(client: Client, name: string, args: Record<string, unknown>): Promise<T> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(`${name} → ${JSON.stringify(result.content)}`);
  return resultOf<T>(result);
}

/** Calls a tool that must fail. */
export async function callRejectedTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolError> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError !== true) throw new Error(`${name} did not fail: ${JSON.stringify(result.content)}`);
  return errorOf(result);
}

/** The error in an error result, which is text alone. Throws if the result also has structured content. */
export function errorOf({
  content,
  structuredContent,
}: Pick<CallToolResult, 'content' | 'structuredContent'>): ToolError {
  if (structuredContent !== undefined) throw new Error(`The error is also data: ${JSON.stringify(structuredContent)}`);
  return resultOf<ToolError>({ content });
}
