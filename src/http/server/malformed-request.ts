import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../domain/problem.ts';
import type { PacedUploads } from '../transfer/upload-body.ts';
import { endWithProblem } from './socket-reply.ts';

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(
      'HEADERS_TOO_LARGE',
      'The request line and the headers exceed 16 KiB. Send fewer or shorter headers.',
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('REQUEST_TIMEOUT', 'The request took too long to arrive. Send it again.');
  return new Problem('BAD_REQUEST', 'The request is not well-formed HTTP/1.1.');
}

/**
 * The response that must be sent next on a connection, if any. `_httpMessage` is the property that Node itself reads
 * when it replies to a malformed request; there is no public one.
 */
export function nextResponse(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // A response that has not begun will never be sent if its own request is incomplete, because it is malformed or late.
  return response && (response.req.complete || response.headersSent) ? response : undefined;
}

/**
 * Creates the handler for input that Node cannot parse as a request, and for late requests. It writes a problem
 * document to the socket, after any response that must be sent first, and closes it. Uploads in `pacedUploads` may
 * exceed Node's time limit.
 */
export function answerMalformedRequest(nextId: () => string, pacedUploads: PacedUploads) {
  // Node calls the handler again for every chunk after the first malformed one.
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
      // The response may be the 202 of a queued job, which must reach the client.
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
