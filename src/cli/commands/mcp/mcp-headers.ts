import type { RpcMessage } from '../../../client/mcp.ts';
import { member, textAt } from '../../../wire/mcp-message.ts';

/** The facts about a legacy client that it sends once, in `initialize`. Over HTTP, each request must contain them. */
export interface Peer {
  readonly name?: string;
  readonly protocolVersion?: string;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The member of `params` that goes into the header `Mcp-Name`. */
const NAMES: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The headers of Streamable HTTP for a request from standard input. */
export function headersOf({ method = '', params }: RpcMessage, peer: Peer): Readonly<Record<string, string>> {
  const agent = { 'user-agent': visible(peer.name ?? 'telecine-mcp') };
  const version = textAt(params, '_meta', VERSION);
  // This is a legacy client. During `initialize` the version is not negotiated yet.
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

/** The facts about the client after the reply to this request. */
export function peerOf(peer: Peer, { method, params }: RpcMessage, answer: RpcMessage): Peer {
  const protocolVersion = method === 'initialize' ? textAt(answer.result, 'protocolVersion') : undefined;
  if (protocolVersion === undefined) return peer;
  const name = textAt(params, 'clientInfo', 'name');
  return { protocolVersion: visible(protocolVersion), ...(name !== undefined && { name }) };
}

/** Whether the request can be sent twice safely: all but a conversion without an idempotency key. */
export const isRepeatable = ({ method, params }: RpcMessage): boolean =>
  method !== 'tools/call' ||
  textAt(params, 'name') !== 'convert_media' ||
  textAt(params, 'arguments', 'idempotencyKey') !== undefined ||
  member(member(params, 'arguments'), 'dryRun') === true;

/** Replaces characters that are not allowed in a header, for which fetch would throw. */
const visible = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').trim();

/** Encodes values that are not plain ASCII, or that look encoded already, as the protocol requires. */
const encoded = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
