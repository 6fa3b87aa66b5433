import { ENDPOINTS } from '@telecine/contract/wire/endpoints.ts';
import { isJsonRpc } from '@telecine/contract/wire/mcp-message.ts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ClientError, errorResponse, unreachable } from './client-error.ts';
import type { RetryRules } from './retry.ts';
import type { Transport } from './transport.ts';

/** A JSON-RPC message. Only the members that the client reads are declared. */
export interface RpcMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** One request to `POST /mcp`. */
interface RpcCall extends RetryRules {
  readonly request: RpcMessage;
  /** Header fields in addition to the fields of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called for each message that the service sends before the reply, such as progress. */
  readonly onNotification: (message: RpcMessage) => void;
}

/** Sends a request and returns its reply, which may be a JSON-RPC error. Rejects with `ClientError` if there is no reply. */
export function callMcp({ url, attempt }: Transport, call: RpcCall): Promise<RpcMessage> {
  const { request, headers, signal, onNotification } = call;
  const { method, path } = ENDPOINTS.submitForModel;
  return attempt(call, async (token) => {
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...headers,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(request),
        // Do not follow a redirect, which would send the token to another host.
        redirect: 'manual',
        signal: signal ?? null,
      });
      // An error reply may have no id; give it the id of the request.
      return { ...(await readReply(response, onNotification)), ...(request.id !== undefined && { id: request.id }) };
    } catch (error) {
      if (error instanceof ClientError || signal?.aborted) throw error;
      throw unreachable(url, error);
    }
  });
}

async function readReply(response: Response, onNotification: RpcCall['onNotification']): Promise<RpcMessage> {
  const { status, headers, body } = response;
  const type = headers.get('content-type') ?? '';
  if (response.ok && body !== null && type.startsWith('text/event-stream')) return readStream(body, onNotification);
  const text = await response.text();
  const message: unknown = type.startsWith('application/json') ? JSON.parse(text) : undefined;
  if (isJsonRpc(message)) return message as RpcMessage;
  throw errorResponse({ status, header: (name) => headers.get(name) ?? undefined, body: text });
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  onNotification: RpcCall['onNotification'],
): Promise<RpcMessage> {
  const events = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) {
    // Skip the first event if it has no data, only an event id.
    if (data === '') continue;
    const message = JSON.parse(data) as RpcMessage;
    if (!isJsonRpc(message)) throw new Error('the service sent a text that is not a JSON-RPC message');
    if (message.method === undefined) return message;
    // A request of the service would have the model or the user work for it: `sampling/createMessage`, `elicitation/create`.
    if (message.id === undefined) onNotification(message);
  }
  throw new Error('the connection broke off');
}
