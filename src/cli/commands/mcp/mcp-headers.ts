import type { RpcMessage } from '../../../client/mcp.ts';

/** What a client of the older era says once, in `initialize`, and what each of its requests has to say over HTTP. */
export interface Peer {
  readonly name?: string;
  readonly protocolVersion?: string;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Which member of `params` is told in `Mcp-Name`. */
const NAMES: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = path.reduce(member, value);
  return typeof found === 'string' ? found : undefined;
};

/** The headers that Streamable HTTP wants of a request which standard input brought without. */
export function headersOf({ method = '', params }: RpcMessage, peer: Peer): Readonly<Record<string, string>> {
  const agent = { 'user-agent': visible(peer.name ?? 'telecine-mcp') };
  const version = textAt(params, '_meta', VERSION);
  // The older era: in `initialize` it is still to be agreed upon.
  if (version === undefined)
    return { ...agent, ...(peer.protocolVersion !== undefined && { 'mcp-protocol-version': peer.protocolVersion }) };
  const name = Object.hasOwn(NAMES, method) ? textAt(params, NAMES[method] ?? '') : undefined;
  return {
    ...agent,
    'mcp-protocol-version': visible(version),
    'mcp-method': visible(method),
    ...(name !== undefined && { 'mcp-name': encoded(name) }),
  };
}

/** What is known of the client after this request was answered. */
export function peerOf(peer: Peer, { method, params }: RpcMessage, answer: RpcMessage): Peer {
  const protocolVersion = method === 'initialize' ? textAt(answer.result, 'protocolVersion') : undefined;
  if (protocolVersion === undefined) return peer;
  const name = textAt(params, 'clientInfo', 'name');
  return { protocolVersion: visible(protocolVersion), ...(name !== undefined && { name }) };
}

/** Sending it twice is the same as sending it once: all but a conversion that has no key to be known again by. */
export const isRepeatable = ({ method, params }: RpcMessage): boolean =>
  method !== 'tools/call' ||
  textAt(params, 'name') !== 'convert_media' ||
  textAt(params, 'arguments', 'idempotencyKey') !== undefined ||
  member(member(params, 'arguments'), 'dryRun') === true;

/** What no header can hold makes fetch throw. */
const visible = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').trim();

/** As the protocol has values that are no plain ASCII, or look as if they were encoded already. */
const encoded = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
