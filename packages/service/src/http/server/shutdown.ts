import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ConnectionTable } from '../connections/connection-table.ts';

/** How long, at most, clients can delay the close of the application. */
const GRACE_MS = 5000;

/**
 * Limits how long it takes to close the application. Node closes only connections that are idle when the close begins.
 * Connections that become idle later would stay open for their keep-alive time, and connections with an unfinished body
 * for minutes. A connection on which nothing was sent counts as busy for Node, so it is closed here.
 *
 * `closeIdleConnections` cannot be used: it cuts off responses that are not completely sent.
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
    /** Call this when a response is finished. Closes its connection if the application is being closed. */
    responded: (socket: Socket): void => {
      if (begun && wasListening) socket.destroySoon();
    },
  };
}
