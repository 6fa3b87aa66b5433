import type { Socket } from 'node:net';
import type { Problem } from '../../domain/problem.ts';
import { problemView } from '../../wire/problem-view.ts';
import { PROBLEM_TYPE } from '../errors/problem-reply.ts';
import { FIXED_HEADERS } from './response-headers.ts';

/** Writes a problem document to a connection on which there is no request to reply to, and closes it. */
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
