import { REQUEST_LIMITS } from '../domain/conversion.ts';
import { plainText } from '../domain/text-validation.ts';

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** A summary of a JSON-RPC message for the log. The texts come from the client, so do not trust them. */
export interface RpcRequest {
  /** The method, and the tool, resource or task that the message names: `tools/call convert_media`. */
  readonly rpc: string;
  /** The language model: `llmId` in the arguments, else the name of the client, else its User-Agent if that names a client. */
  readonly llmId: string;
}

/** User-Agents of runtimes and HTTP libraries. They do not identify the client. */
const RUNTIME =
  /^(?:node|undici|node-fetch|axios|got|bun|deno|python|python-\w+|aiohttp|go-http-client|okhttp|java|apache-httpclient|ruby|reqwest|ureq|hyper|curl|wget)\b/i;

const MAX_RPC_LENGTH = 200;

/** Like `textAt`, but undefined for a blank string too. */
function nonBlankAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path);
  return text?.trim() === '' ? undefined : text;
}

export function rpcRequestOf(message: unknown, userAgent: string | undefined): RpcRequest {
  const params = member(message, 'params');
  const object = ['name', 'uri', 'taskId'].map((name) => nonBlankAt(params, name)).find((found) => found !== undefined);
  const llmId =
    nonBlankAt(params, 'arguments', 'llmId') ??
    nonBlankAt(params, '_meta', CLIENT_INFO, 'name') ??
    nonBlankAt(params, 'clientInfo', 'name') ??
    (RUNTIME.test(userAgent ?? '') ? undefined : userAgent) ??
    '';
  const rpc = [nonBlankAt(message, 'method') ?? '', object].filter(Boolean).join(' ');
  return {
    rpc: plainText(rpc).slice(0, MAX_RPC_LENGTH),
    llmId: plainText(llmId).trim().slice(0, REQUEST_LIMITS.llmIdLength) || 'mcp',
  };
}

const hasVersion = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'jsonrpc');

/** Whether a body is a JSON-RPC message or a batch of them. Only MCP clients send these. */
export const isJsonRpc = (body: unknown): boolean => (Array.isArray(body) ? body.some(hasVersion) : hasVersion(body));

/** The own member `name` of a JSON object. undefined for other values. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The string at the end of `path` in a JSON value. undefined: a member is missing, or the value is not a string. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce(member, value);
  return typeof found === 'string' ? found : undefined;
}
