import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../domain/problem.ts';
import { problemView } from '../wire/problem-view.ts';
import { FIXED_HEADERS, PROBLEM_TYPE } from './headers.ts';
import type { OwnPace } from './upload-body.ts';

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('HEADERS_TOO_LARGE', 'The request line and the headers are longer than 16 KiB together.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('REQUEST_TIMEOUT', 'The request did not arrive whole in time. Send it again.');
  return new Problem('BAD_REQUEST', 'This is not a well-formed HTTP/1.1 request.');
}

/**
 * The response that is due next on a connection. Under the name that Node itself asks by before it answers a
 * malformed request; there is no public one.
 */
function dueResponse(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: due } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // One whose own request is malformed or late will never come, unless it was begun.
  return due && (due.req.complete || due.headersSent) ? due : undefined;
}

/**
 * Answers what never became a request, on the bare socket and after what is still due there, and closes it. What is in
 * `ownPace` may take longer than Node's limit.
 */
export function answerClientError(nextId: () => string, ownPace: OwnPace) {
  // Node calls for every piece that arrives after the first malformed one.
  const waiting = new WeakSet<Socket>();
  const answer = (error: Error & { code?: string }, socket: Socket): void => {
    if (waiting.has(socket)) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && ownPace.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const due = dueResponse(socket);
    if (due !== undefined) {
      // A job may be queued: its 202 must not be lost to what was sent behind it.
      waiting.add(socket);
      due.once('close', () => {
        waiting.delete(socket);
        answer(error, socket);
      });
      return;
    }
    const requestId = nextId();
    const view = problemView(problemOf(error.code), requestId);
    const body = JSON.stringify(view);
    const headers = {
      ...FIXED_HEADERS,
      'content-type': PROBLEM_TYPE,
      'content-length': Buffer.byteLength(body),
      'x-request-id': requestId,
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${view.status} ${view.title}\r\n${lines.join('')}\r\n${body}`);
  };
  return answer;
}
