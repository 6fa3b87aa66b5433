import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a client that never ends its request, or never reads its response, can hold up a close. */
const GRACE_MS = 5000;

export interface Shutdown {
  /** Whether a close has begun. */
  begun(): boolean;
  /** To be called when a response is over: ends its connection if a close has begun. */
  responded(socket: Socket): void;
}

/**
 * Lets a close end. Node closes the connections that are idle at that moment; one that becomes idle a moment later
 * would stay for its keep-alive time, and one whose client stopped in the middle of a body for minutes. Calling
 * `closeIdleConnections` again and again is no way: it cuts off responses that are ended but not yet sent.
 */
export function closeInTime(app: FastifyInstance): Shutdown {
  let begun = false;
  let listened = false;
  app.addHook('preClose', async () => {
    begun = true;
    const { server } = app;
    listened = server.listening;
    if (!listened) return;
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.once('close', () => clearTimeout(timer));
  });
  return {
    begun: () => begun,
    responded: (socket) => {
      if (begun && listened) socket.destroySoon();
    },
  };
}
