import type { FastifyReply, FastifyRequest } from 'fastify';
import { isJsonRpc, type RpcRequest, rpcRequestOf } from '../../wire/mcp-message.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { McpEndpoint } from '../deps.ts';
import type { CountRequest } from '../limits/rate-limit.ts';
import { hangUpSignal } from '../server/hang-up.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What an MCP client requests, for the access log; null: not an MCP request. */
    rpcRequest: RpcRequest | null;
  }
}

const MCP_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-session-id'] as const;

/** Header fields that the MCP endpoint gets. The token is not among them: nothing behind the endpoint needs it. */
const PASSED_HEADERS: ReadonlySet<string> = new Set([
  ...MCP_HEADERS,
  'mcp-name',
  'accept',
  'content-type',
  'host',
  'origin',
]);

/** Whether the headers look like an MCP client: each must accept an event stream, and other clients do not. */
export const looksLikeMcp = ({ headers }: FastifyRequest): boolean =>
  MCP_HEADERS.some((name) => headers[name] !== undefined) || (headers.accept ?? '').includes('text/event-stream');

/** Whether the request is a JSON-RPC message, or should have been one. */
export const isMcp = ({ headers, body }: FastifyRequest): boolean =>
  isJsonRpc(body) || MCP_HEADERS.some((name) => headers[name] !== undefined);

const INVALID_REQUEST = -32600;

/** Passes a message to the MCP endpoint and sends its response. */
export async function exchangeMcp(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    endpoint,
    countSubmission,
    publicUrl,
  }: {
    readonly endpoint: McpEndpoint;
    readonly countSubmission: CountRequest | undefined;
    readonly publicUrl: string | undefined;
  },
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const rpcRequest = rpcRequestOf(request.body, request.headers['user-agent']);
  request.rpcRequest = rpcRequest;
  if (Array.isArray(request.body))
    return rpcError(
      reply,
      400,
      INVALID_REQUEST,
      'Batches are not supported. Send each message in a request of its own.',
    );
  const origin = publicUrl ?? `${request.protocol}://${request.host}`;
  const response = await endpoint.fetch(webRequest(request, reply, origin), request.body, {
    caller,
    origin,
    llmId: rpcRequest.llmId,
    countSubmission: async () => countSubmission?.(caller.clientId, reply),
  });
  return sendResponse(reply, response);
}

/**
 * The members of a web `Request` that the endpoint reads. Creating undici's own takes a fifth of the time of a short
 * call. The parsed body is passed separately.
 */
function webRequest({ headers }: FastifyRequest, reply: FastifyReply, origin: string): Request {
  const head: Pick<Request, 'method' | 'url' | 'signal'> & { readonly headers: Pick<Headers, 'get'> } = {
    method: 'POST',
    url: `${origin}/mcp`,
    signal: hangUpSignal(reply),
    headers: {
      get: (header) => {
        const name = header.toLowerCase();
        const value = PASSED_HEADERS.has(name) ? headers[name] : undefined;
        return typeof value === 'string' ? value : null;
      },
    },
  };
  return head as Request;
}

/** Sends an event stream as it comes, and anything else as text, which is cheaper than a stream. */
async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get('content-type');
  if (type?.startsWith('text/event-stream') === true) return reply.send(response);
  if (type !== null) reply.type(type);
  for (const name of ['allow', 'mcp-session-id', 'mcp-protocol-version']) {
    const value = response.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  return reply.code(response.status).send(response.body === null ? undefined : await response.text());
}

/** Sends a JSON-RPC error that answers no message in particular, because none could be read. */
export const rpcError = (reply: FastifyReply, status: number, code: number, message: string): FastifyReply =>
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ jsonrpc: '2.0', id: null, error: { code, message } });
