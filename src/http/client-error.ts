import type { Socket } from 'node:net';
import { Problem } from '../domain/problem.ts';
import { problemView } from '../wire/problem-view.ts';
import { FIXED_HEADERS, PROBLEM_TYPE } from './headers.ts';

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('HEADERS_TOO_LARGE', 'The request line and the headers are longer than 16 KiB together.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('REQUEST_TIMEOUT', 'The request did not arrive whole in time. Send it again.');
  return new Problem('BAD_REQUEST', 'This is not a well-formed HTTP/1.1 request.');
}

/** Answers what never became a request, on the bare socket, and closes it. */
export function answerClientError(nextId: () => string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
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
}
