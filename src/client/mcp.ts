import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isJsonRpc } from '../wire/json-rpc.ts';
import { ClientError } from './client-error.ts';
import { refusal } from './error-response.ts';
import { type Rules, type Transport, unreachable } from './transport.ts';

/** A JSON-RPC message as it was sent; of its members only these are looked at. */
export interface RpcMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** One request to `POST /mcp`. */
export interface McpAsk extends Rules {
  readonly request: RpcMessage;
  /** Beside those that every request has. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the service says before it answers, such as progress. */
  readonly onNotice: (message: RpcMessage) => void;
}

/** The answer to a request, which may be an error of the protocol. Rejects with `ClientError` where there was none. */
export function askMcp({ url, attempt }: Transport, ask: McpAsk): Promise<RpcMessage> {
  const { request, headers, signal, onNotice } = ask;
  return attempt(ask, async (token) => {
    try {
      const answer = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          ...headers,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(request),
        // A token is sent where it was meant for, and nowhere else.
        redirect: 'manual',
        signal: signal ?? null,
      });
      // An error that belongs to no message in particular is this one's here.
      return { ...(await read(answer, onNotice)), ...(request.id !== undefined && { id: request.id }) };
    } catch (error) {
      if (error instanceof ClientError || signal?.aborted) throw error;
      throw unreachable(url, error);
    }
  });
}

async function read(answer: Response, onNotice: McpAsk['onNotice']): Promise<RpcMessage> {
  const { status, headers, body } = answer;
  const type = headers.get('content-type') ?? '';
  if (answer.ok && body !== null && type.startsWith('text/event-stream')) return readStream(body, onNotice);
  const text = await answer.text();
  const message: unknown = type.startsWith('application/json') ? JSON.parse(text) : undefined;
  if (isJsonRpc(message)) return message as RpcMessage;
  throw refusal({ status, header: (name) => headers.get(name) ?? undefined, body: text });
}

async function readStream(body: ReadableStream<Uint8Array>, onNotice: McpAsk['onNotice']): Promise<RpcMessage> {
  const events = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) {
    // A stream may begin with an event that has no data: it only gives an id.
    if (data === '') continue;
    const message = JSON.parse(data) as RpcMessage;
    if (message.method === undefined) return message;
    onNotice(message);
  }
  throw new Error('the answer broke off');
}
