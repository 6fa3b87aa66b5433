import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a client that does not finish its request, or does not read its response, can delay a close. */
const GRACE_MS = 5000;

export interface Shutdown {
  /** Whether a close has begun. */
  begun(): boolean;
  /** Call it when a response is over: it ends the connection if a close has begun. */
  responded(socket: Socket): void;
}

/**
 * Limits the time that a close takes. Node closes the connections that are idle at that moment. One that becomes idle
 * later would stay open for its keep-alive time, and one whose client stopped inside a body for minutes. Repeated calls
 * of `closeIdleConnections` do not help: they cut off responses that are ended but not yet sent.
 */
export function limitCloseTime(app: FastifyInstance): Shutdown {
  let begun = false;
  let wasListening = false;
  app.addHook('preClose', async () => {
    begun = true;
    const { server } = app;
    wasListening = server.listening;
    if (!wasListening) return;
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.once('close', () => clearTimeout(timer));
  });
  return {
    begun: () => begun,
    responded: (socket) => {
      if (begun && wasListening) socket.destroySoon();
    },
  };
}
