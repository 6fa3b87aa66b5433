import { isJsonRpc, type RpcRequest, rpcRequestOf } from '@telecine/contract/wire/mcp-message.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordAction, recordOf } from '../audit/audit-request.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import type { RequestBudget } from '../limits/request-limit.ts';
import { type CountRequest, checkBatchSize } from '../limits/submission-limit.ts';
import { hangUpSignal } from '../server/hang-up.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A summary of the JSON-RPC message, for the access log. null: the request is not MCP. */
    rpcRequest: RpcRequest | null;
  }
}

const MCP_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-session-id'] as const;

/** The header fields that the MCP endpoint gets. The token is missing, because the endpoint does not need it. */
const PASSED_HEADERS: ReadonlySet<string> = new Set([
  ...MCP_HEADERS,
  'mcp-name',
  'accept',
  'content-type',
  'host',
  'origin',
]);

/** Returns whether a request has the header fields of an MCP client, which must accept event streams. */
export const looksLikeMcp = ({ headers }: FastifyRequest): boolean =>
  MCP_HEADERS.some((name) => headers[name] !== undefined) || (headers.accept ?? '').includes('text/event-stream');

/** Returns whether a request is MCP: its body is a JSON-RPC message, or it has MCP header fields. */
export const isMcp = ({ headers, body }: FastifyRequest): boolean =>
  isJsonRpc(body) || MCP_HEADERS.some((name) => headers[name] !== undefined);

export const INVALID_REQUEST = -32600;

type ExchangeDeps = Pick<HttpDeps, 'mcp' | 'publicUrl' | 'audit'> & {
  readonly countSubmission: CountRequest;
  readonly budget: Pick<RequestBudget, 'countReply'>;
};

/** Passes a message to the MCP endpoint and sends its response. */
export async function exchangeMcp(
  request: FastifyRequest,
  reply: FastifyReply,
  { mcp, countSubmission, budget, publicUrl, audit }: ExchangeDeps,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const rpcRequest = rpcRequestOf(request.body, request.headers['user-agent']);
  request.rpcRequest = rpcRequest;
  if (Array.isArray(request.body))
    return rpcError(
      reply,
      INVALID_REQUEST,
      'JSON-RPC batches are not supported. Send each message in a separate request.',
    );
  const origin = publicUrl ?? `${request.protocol}://${request.host}`;
  const response = await mcp.fetch(webRequest(request, reply, origin), request.body, {
    caller,
    origin,
    llmId: rpcRequest.llmId,
    countSubmission: async (size) => {
      if (size !== undefined) checkBatchSize(size, caller.policy);
      const count = size === undefined ? 1 : size - 1;
      if (count > 0) await countSubmission(caller, reply, count);
    },
    audit: (action, { refused, ...facts }) =>
      recordAction(audit, request, {
        action,
        outcome: refused === undefined ? 'done' : 'refused',
        via: 'mcp',
        ...facts,
        ...(refused !== undefined && { code: refused }),
      }),
    auditRecord: (action, facts) => recordOf(request, { action, outcome: 'done', via: 'mcp', ...facts }),
  });
  const count = (bytes: number): void => budget.countReply(caller, bytes);
  if (typeof response !== 'string') return sendResponse(reply, response, count);
  count(response.length);
  return reply.type('application/json').send(response);
}

/**
 * Creates an object with only those members of a web `Request` that the endpoint reads. A complete `Request` would take
 * a fifth of the time of a short call.
 */
function webRequest({ headers }: FastifyRequest, reply: FastifyReply, origin: string): Request {
  let signal: AbortSignal | undefined;
  const head: Pick<Request, 'method' | 'url' | 'signal'> & { readonly headers: Pick<Headers, 'get'> } = {
    method: 'POST',
    url: `${origin}/mcp`,
    get signal() {
      signal ??= hangUpSignal(reply);
      return signal;
    },
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

/**
 * Sends the response of the MCP endpoint: an event stream as a stream, any other response as text, which is cheaper.
 */
async function sendResponse(
  reply: FastifyReply,
  response: Response,
  count: (bytes: number) => void,
): Promise<FastifyReply> {
  const type = response.headers.get('content-type');
  if (type?.startsWith('text/event-stream') === true) return reply.send(counted(response, count));
  if (type !== null) reply.type(type);
  for (const name of ['allow', 'mcp-session-id', 'mcp-protocol-version']) {
    const value = response.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  const text = response.body === null ? undefined : await response.text();
  count(text?.length ?? 0);
  return reply.code(response.status).send(text);
}

/** Returns the response with a body that counts its bytes when they are sent. */
function counted({ body, status, headers }: Response, count: (bytes: number) => void): Response {
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      count(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(counter) ?? null, { status, headers });
}

/** Sends a 400 with a JSON-RPC error. Its message id is null, because the message could not be read. */
export const rpcError = (reply: FastifyReply, code: number, message: string): FastifyReply =>
  reply.code(400).type('application/json; charset=utf-8').send({ jsonrpc: '2.0', id: null, error: { code, message } });
