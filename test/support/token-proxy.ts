import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

/** Changes a JSON-RPC message on its way to the server. */
export type RewriteMessage = (message: JsonRpcRequest) => JsonRpcRequest | Promise<JsonRpcRequest>;

export interface JsonRpcRequest {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * A loopback proxy that adds a token, for programs that cannot send one. Closed after the test.
 *
 * @param rewrite Changes each message. Default: none is changed.
 */
export async function tokenProxy(target: string, token: string, rewrite?: RewriteMessage): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const sent = await (rewrite === undefined ? unchanged(incoming) : rewritten(incoming, rewrite)).catch(
      () => undefined,
    );
    if (sent === undefined) {
      outgoing.destroy();
      return;
    }
    const onward = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: { ...sent.headers, authorization: `Bearer ${token}` } },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      },
    );
    onward.once('error', () => outgoing.destroy());
    outgoing.once('close', () => onward.destroy());
    onward.end(sent.body);
  });
  return listenOnLoopback(server);
}

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

const unchanged = async (incoming: IncomingMessage): Promise<Sent> => ({
  headers: incoming.headers,
  body: await buffer(incoming),
});

async function rewritten(incoming: IncomingMessage, rewrite: RewriteMessage): Promise<Sent> {
  const sent = await unchanged(incoming);
  const message = parsed(sent.body);
  if (message === undefined) return sent;
  const changed = await rewrite(message);
  if (changed === message) return sent;
  const body = Buffer.from(JSON.stringify(changed));
  return { body, headers: { ...withName(sent.headers, message, changed), 'content-length': String(body.length) } };
}

/** A header repeats the name in the message (SEP-2243). One that differs is a mistake that the suite makes on purpose. */
function withName(headers: IncomingHttpHeaders, before: JsonRpcRequest, after: JsonRpcRequest): IncomingHttpHeaders {
  const [old, name] = [before, after].map(({ params = {} }) => params['name'] ?? params['uri']);
  return typeof name === 'string' && headers['mcp-name'] === old ? { ...headers, 'mcp-name': name } : headers;
}

function parsed(body: Uint8Array): JsonRpcRequest | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
