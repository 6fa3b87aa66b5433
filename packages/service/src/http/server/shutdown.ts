import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ConnectionTable } from '../connections/connection-table.ts';

/** The longest time by which a client can delay a close. */
const GRACE_MS = 5000;

/**
 * Limits the time of a close. Node closes only connections that are idle when the close begins. Later idle connections would stay open
 * for their keep-alive time, and connections with an unfinished body for minutes. `closeIdleConnections` cuts off responses that are
 * ended but not sent. A connection on which nothing was sent counts as busy for Node, so it is closed here.
 */
export function limitCloseTime(app: FastifyInstance, connections: ConnectionTable) {
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
    begun: (): boolean => begun,
    /** Closes the connection of a finished response during a close. */
    responded: (socket: Socket): void => {
      if (begun && wasListening) socket.destroySoon();
    },
  };
}
