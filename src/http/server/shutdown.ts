import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ConnectionTable } from '../connections/connection-table.ts';

/** The maximum time that a client can delay a close, by not finishing its request or not reading its response. */
const GRACE_MS = 5000;

export interface Shutdown {
  /** Whether a close has begun. */
  begun(): boolean;
  /** Closes the connection of a finished response if a close has begun. */
  responded(socket: Socket): void;
}

/**
 * Limits the time that a close takes. Node closes only the connections that are idle when the close begins. A
 * connection that becomes idle later would stay open for its keep-alive time, and one whose client stops within a body
 * for minutes. Repeated calls of `closeIdleConnections` do not help: they cut off responses that are ended but not yet
 * sent. A connection on which nothing was ever sent (clients open some in advance) counts as busy for Node; it is closed at
 * once.
 */
export function limitCloseTime(app: FastifyInstance, connections: ConnectionTable): Shutdown {
  let begun = false;
  let wasListening = false;
  app.addHook('preClose', async () => {
    begun = true;
    const { server } = app;
    wasListening = server.listening;
    if (!wasListening) return;
    for (const { socket } of connections) if (socket.bytesRead === 0) socket.destroy();
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
