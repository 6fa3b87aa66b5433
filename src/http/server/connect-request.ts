import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../domain/problem.ts';
import { nextResponse } from './malformed-request.ts';
import { endWithProblem } from './socket-reply.ts';

/** Rejects CONNECT, the request for a tunnel. Node would close the connection without a reply. */
export function rejectTunnels(server: Server, nextId: () => string): void {
  server.on('connect', (_request, socket: Socket) => {
    // Node has removed its own listener, and an error without one would end the process.
    socket.on('error', () => {});
    const problem = new Problem(
      'NOT_IMPLEMENTED',
      'CONNECT is not supported, because the service is not a proxy. Send a request for a path.',
    );
    // The reply to an earlier request must not be mixed with this one.
    if (nextResponse(socket) === undefined) endWithProblem(socket, problem, nextId());
    // Node does not notice any more that the client closes.
    socket.destroySoon();
  });
}
