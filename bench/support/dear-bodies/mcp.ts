import { TOOL_SCOPES } from '../../../packages/service/src/mcp/tool-names.ts';
import { findMcpTool } from '../../../packages/service/src/mcp/tools/all-tools.ts';
import type { DearBody } from './dear-body.ts';
import { dearDocuments, fieldsOf } from './every-operation.ts';

const HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };

const message = (name: string, method: string, params: string): DearBody => ({
  name,
  method: 'POST',
  path: '/mcp',
  body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`,
  headers: HEADERS,
});

/** A call of a tool with arguments that are JSON already. */
const call = (name: string, tool: string, args: string): DearBody =>
  message(name, 'tools/call', `{"name":${JSON.stringify(tool)},"arguments":${args}}`);

/** The conversions of `bodies` as calls of `convert_media`. */
const asCalls = (bodies: readonly DearBody[]): readonly DearBody[] =>
  bodies.flatMap(({ name, path, body }) =>
    path.startsWith('/api/conversion?') && body !== undefined
      ? [call(`convert_media: ${name}`, 'convert_media', body.replace(/^\{/, '{"dryRun":true,'))]
      : [],
  );

const long = 'a'.repeat(1_000_000);

/** Each tool with documents at the limit, `bodies` as calls, and other methods with long parameters. */
export const mcpBodies = (bodies: readonly DearBody[]): readonly DearBody[] => [
  ...asCalls(bodies),
  ...Object.keys(TOOL_SCOPES).flatMap((name) => {
    const tool = findMcpTool(name);
    return tool === undefined
      ? []
      : Object.entries(dearDocuments(fieldsOf(tool.input))).map(([what, text]) => call(`${name}: ${what}`, name, text));
  }),
  message('an unknown tool', 'tools/call', JSON.stringify({ name: long })),
  message('an unknown method', long, '{}'),
  message('an unknown resource', 'resources/read', JSON.stringify({ uri: `telecine://${long}` })),
  message('an unknown prompt', 'prompts/get', JSON.stringify({ name: long, arguments: { a: long.slice(1000) } })),
  message(
    'a long completion',
    'completion/complete',
    JSON.stringify({ ref: { type: 'ref/prompt', name: 'convert-for-web' }, argument: { name: 'input', value: long } }),
  ),
];
