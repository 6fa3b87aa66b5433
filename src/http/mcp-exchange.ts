import type { FastifyReply, FastifyRequest } from 'fastify';
import { isJsonRpc } from '../wire/json-rpc.ts';
import { type Asked, askedOf } from '../wire/mcp-message.ts';
import { callerOf } from './caller.ts';
import type { McpDoor } from './deps.ts';
import { hangUpSignal } from './hang-up.ts';
import type { Count } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What an MCP client asks for; null: it is none. */
    asked: Asked | null;
  }
}

const MCP_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-session-id'] as const;

/** What the MCP handler reads. Never the token: nothing behind the door has a use for it. */
const PASSED_ON: ReadonlySet<string> = new Set([
  ...MCP_HEADERS,
  'mcp-name',
  'accept',
  'content-type',
  'host',
  'origin',
]);

/** As far as the header tells: every MCP client must accept an event stream, and no other has a reason to. */
export const looksLikeMcp = ({ headers }: FastifyRequest): boolean =>
  MCP_HEADERS.some((name) => headers[name] !== undefined) || (headers.accept ?? '').includes('text/event-stream');

/** A JSON-RPC message, or one that should have been. */
export const isMcp = ({ headers, body }: FastifyRequest): boolean =>
  isJsonRpc(body) || MCP_HEADERS.some((name) => headers[name] !== undefined);

const INVALID_REQUEST = -32600;

/** Hands a message on, and its answer back. */
export async function exchange(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    door,
    count,
    publicUrl,
  }: { readonly door: McpDoor; readonly count: Count | undefined; readonly publicUrl: string | undefined },
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const asked = askedOf(request.body, request.headers['user-agent']);
  request.asked = asked;
  if (Array.isArray(request.body))
    return rpcError(reply, 400, INVALID_REQUEST, 'Batches are not taken. Send each message in a request of its own.');
  const origin = publicUrl ?? `${request.protocol}://${request.host}`;
  const response = await door.fetch(webRequest(request, reply, origin), request.body, {
    caller,
    origin,
    llmId: asked.llmId,
    countSubmission: async () => count?.(caller.clientId, reply),
  });
  return answer(reply, response);
}

/**
 * As much of a web request as is read of it: undici's own takes a fifth of all the time that a short call takes. The
 * body goes beside it, parsed.
 */
function webRequest({ headers }: FastifyRequest, reply: FastifyReply, origin: string): Request {
  const head: Pick<Request, 'method' | 'url' | 'signal'> & { readonly headers: Pick<Headers, 'get'> } = {
    method: 'POST',
    url: `${origin}/mcp`,
    signal: hangUpSignal(reply),
    headers: {
      get: (asked) => {
        const name = asked.toLowerCase();
        const value = PASSED_ON.has(name) ? headers[name] : undefined;
        return typeof value === 'string' ? value : null;
      },
    },
  };
  return head as Request;
}

/** A whole answer as text, which is cheaper than a stream; an event stream as it comes. */
async function answer(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) return reply.send(response);
  const type = response.headers.get('content-type');
  if (type !== null) reply.type(type);
  for (const name of ['allow', 'mcp-session-id', 'mcp-protocol-version']) {
    const value = response.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  return reply.code(response.status).send(response.body === null ? undefined : await response.text());
}

/** An error that belongs to no message that could be read. */
export const rpcError = (reply: FastifyReply, status: number, code: number, message: string): FastifyReply =>
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ jsonrpc: '2.0', id: null, error: { code, message } });
