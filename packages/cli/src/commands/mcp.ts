import { addAbortSignal } from 'node:stream';
import { callMcp, type RpcMessage } from '@telecine/client/mcp.ts';
import type { RetryBudget } from '@telecine/client/options.ts';
import { createTransport, type Transport } from '@telecine/client/transport.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import { isJsonRpc, member, textAt } from '@telecine/contract/wire/mcp-message.ts';
import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { exitStatusOf } from '../exit-status.ts';
import { addUrlOption } from '../session/command-options.ts';
import { readCredentials } from '../session/credentials.ts';
import { runCommand } from '../session/run-command.ts';

export function declare(mcp: Command): void {
  addUrlOption(mcp.action(serveStandardInput));
}

/** Runs until standard input ends. Standard output carries only protocol messages. */
async function serveStandardInput({ url: address }: { readonly url?: string }): Promise<void> {
  const { stdin, stdout } = process;
  await runCommand({}, async (signal) => {
    const { url, credentials } = readCredentials(address);
    const gone = new AbortController();
    // The client has closed the pipe, so stop.
    stdout.on('error', () => gone.abort());
    const ended = AbortSignal.any([signal, gone.signal]);
    await bridge({
      transport: createTransport(url, credentials),
      lines: linesOf(addAbortSignal(ended, stdin.setEncoding('utf8')), ended),
      write: (message) => void stdout.write(`${JSON.stringify(message)}\n`),
      log: (line) => console.error(plainText(line)),
    });
    signal.throwIfAborted();
  });
  // Exit now. A pending token request to an unreachable service would keep the process alive for some seconds.
  process.exit();
}

/** Splits only at line feeds. `readline` also splits at U+2028, which a JSON text may contain. Ends when `signal` aborts. */
export async function* linesOf(input: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const text of input) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  yield rest;
}

/** Clients stop a call after a minute. These limits report an unreachable service earlier. */
const BUDGET: RetryBudget = { busySeconds: 20, unreachableSeconds: 15 };

interface Bridge {
  readonly transport: Transport;
  /** The messages of the client, one per line. The bridge ends with the last line. */
  readonly lines: AsyncIterable<string>;
  readonly write: (message: object) => void;
  /** Prints a line for people, outside the protocol. */
  readonly log: (line: string) => void;
}

/**
 * Forwards the client's requests to `POST /mcp`, and the replies to the client. Drops notifications, because the service keeps no state
 * between requests. For the same reason, a restart of the service does not disturb the client. If the client cancels a request, the bridge
 * closes the connection of this request.
 */
export async function bridge({ transport, lines, write, log }: Bridge): Promise<void> {
  const pending = new Map<RpcMessage['id'], AbortController>();
  let peer: Peer = {};

  async function pass(request: RpcMessage, { signal }: AbortController): Promise<void> {
    try {
      const answer = await callMcp(transport, {
        request,
        headers: headersOf(request, peer),
        isRepeatable: isRepeatable(request),
        budget: BUDGET,
        signal,
        onNotification: (notification) => signal.aborted || write(notification),
      });
      if (signal.aborted) return;
      peer = peerOf(peer, request, answer);
      write(answer);
    } catch (error) {
      if (signal.aborted) return;
      const failure = rpcFailure(request.id, error);
      log(`${request.method}: ${failure.error.message}`);
      write(failure);
    }
  }

  for await (const line of lines) {
    if (line.trim() === '') continue;
    const message = readMessage(line);
    if ('error' in message) write(message);
    else if (isRequest(message)) {
      const controller = new AbortController();
      pending.set(message.id, controller);
      void pass(message, controller).finally(() => pending.delete(message.id));
    } else if (message.method === 'notifications/cancelled')
      pending.get((message.params as { readonly requestId?: RpcMessage['id'] } | undefined)?.requestId)?.abort();
  }
  for (const controller of pending.values()) controller.abort();
}

/** The values that a legacy client sends only in `initialize`. The bridge repeats them in each HTTP request. */
interface Peer {
  readonly name?: string;
  readonly protocolVersion?: string;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The member of `params` that goes into the header `Mcp-Name`, for each method. */
const NAMES: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Builds the headers of Streamable HTTP for a request from standard input. */
function headersOf({ method = '', params }: RpcMessage, peer: Peer): Readonly<Record<string, string>> {
  const agent = { 'user-agent': visible(peer.name ?? 'telecine-mcp') };
  const version = textAt(params, '_meta', VERSION);
  // A request without a version comes from a legacy client. During `initialize`, the version is not negotiated yet.
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

function peerOf(peer: Peer, { method, params }: RpcMessage, answer: RpcMessage): Peer {
  const protocolVersion = method === 'initialize' ? textAt(answer.result, 'protocolVersion') : undefined;
  if (protocolVersion === undefined) return peer;
  const name = textAt(params, 'clientInfo', 'name');
  return { protocolVersion: visible(protocolVersion), ...(name !== undefined && { name }) };
}

/** Whether a request can safely be sent twice. A conversion without an idempotency key cannot. */
const isRepeatable = ({ method, params }: RpcMessage): boolean =>
  method !== 'tools/call' ||
  textAt(params, 'name') !== 'convert_media' ||
  textAt(params, 'arguments', 'idempotencyKey') !== undefined ||
  member(member(params, 'arguments'), 'dryRun') === true;

/** Replaces characters that are not allowed in a header. */
const visible = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').trim();

/** Encodes values that are not plain ASCII, and values that look encoded. The protocol requires this. */
const encoded = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/** JSON-RPC error code: the request was valid, but the service did not reply. */
const NO_ANSWER = -32000;

interface RpcFailure {
  readonly jsonrpc: '2.0';
  readonly id: RpcMessage['id'];
  readonly error: { readonly code: number; readonly message: string; readonly data?: object };
}

const failed = (id: RpcMessage['id'], error: RpcFailure['error']): RpcFailure => ({ jsonrpc: '2.0', id, error });

/** Parses a line as a message. Returns the error to reply with if the line is invalid. */
function readMessage(line: string): RpcMessage | RpcFailure {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failed(null, { code: PARSE_ERROR, message: 'Invalid JSON. Send one JSON-RPC message per line.' });
  }
  if (Array.isArray(message) || !isJsonRpc(message))
    return failed(null, {
      code: INVALID_REQUEST,
      message: 'Not a JSON-RPC message. Send one message per line; batches are not supported.',
    });
  return message as RpcMessage;
}

const isRequest = ({ id, method }: RpcMessage): boolean =>
  id !== undefined && id !== null && typeof method === 'string';

function rpcFailure(id: RpcMessage['id'], error: unknown): RpcFailure {
  const status = exitStatusOf(error);
  if (status === undefined) return failed(id, { code: NO_ANSWER, message: `The bridge failed: ${String(error)}` });
  const { code, message, fix, exitCode } = status;
  const retryable = exitCode === EXIT.unreachable;
  return failed(id, {
    code: NO_ANSWER,
    message: fix === undefined ? message : `${message} ${fix}`,
    data: { code, message, ...(fix !== undefined && { fix }), retryable },
  });
}
