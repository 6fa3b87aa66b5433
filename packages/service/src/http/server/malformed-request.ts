import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { problemView } from '@telecine/contract/wire/problem-view.ts';
import { PROBLEM_TYPE } from '../errors/problem-reply.ts';
import type { PacedUploads } from '../transfer/upload-body.ts';
import { FIXED_HEADERS } from './response-headers.ts';

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(
      'HEADERS_TOO_LARGE',
      'The request line and the headers exceed 16384 bytes. Send fewer or shorter headers.',
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('REQUEST_TIMEOUT', 'The request took too long to arrive. Send it again.');
  return new Problem('BAD_REQUEST', 'The request is not well-formed HTTP/1.1.');
}

/**
 * Returns the response that must be sent next on a connection. Reads `_httpMessage`, like Node itself, because there is
 * no public property.
 */
function nextResponse(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // Do not wait for the response to the malformed or late request itself, which never begins.
  return response && (response.req.complete || response.headersSent) ? response : undefined;
}

/**
 * Creates the handler for malformed and late requests. It waits for an earlier response, writes a problem document to
 * the socket, and closes the socket. Connections in `pacedUploads` may take longer than Node's time limit.
 */
export function answerMalformedRequest(nextId: () => string, pacedUploads: PacedUploads) {
  // Sockets that wait for an earlier response: Node calls the handler again for each chunk after the malformed one.
  const waiting = new WeakSet<Socket>();
  const answer = (error: Error & { code?: string }, socket: Socket): void => {
    if (waiting.has(socket)) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && pacedUploads.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const response = nextResponse(socket);
    if (response !== undefined) {
      // Wait for the earlier response: it may be the 202 of a queued job, which the client must get.
      waiting.add(socket);
      response.once('close', () => {
        waiting.delete(socket);
        answer(error, socket);
      });
      return;
    }
    endWithProblem(socket, problemOf(error.code), nextId());
  };
  return answer;
}

/** Rejects CONNECT requests. Without this, Node would close the connection without a reply. */
export function rejectTunnels(server: Server, nextId: () => string): void {
  server.on('connect', (_request, socket: Socket) => {
    // Node has removed its own listener, and an error without a listener would end the process.
    socket.on('error', () => {});
    const problem = new Problem(
      'NOT_IMPLEMENTED',
      'CONNECT is not supported, because the service is not a proxy. Send a request for a path.',
    );
    // Write nothing if the reply to an earlier request is not finished.
    if (nextResponse(socket) === undefined) endWithProblem(socket, problem, nextId());
    // Close the socket: after CONNECT, Node does not notice that the client has closed it.
    socket.destroySoon();
  });
}

/** Writes a problem document to a connection, without a response object, and closes the connection. */
export function endWithProblem(socket: Socket, problem: Problem, requestId: string): void {
  const view = problemView(problem, requestId);
  const body = JSON.stringify(view);
  const { retryAfterSeconds } = problem;
  const headers = {
    ...FIXED_HEADERS,
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    ...(retryAfterSeconds !== undefined && { 'retry-after': retryAfterSeconds }),
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${view.status} ${view.title}\r\n${lines.join('')}\r\n${body}`);
}
