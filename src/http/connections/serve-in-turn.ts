import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ConnectionTable, OpenConnection, Refusal } from './connection-table.ts';

/**
 * The most requests that a client may send ahead on a connection. Node parses all that arrive in one read, some thousand, and
 * each takes a few KiB.
 */
const MAX_WAITING = 16;

/**
 * Runs the requests of a connection one after the other, so that at most one reply of it is in memory. A connection with too many
 * is closed: its client may send those without a reply again (RFC 9112, 9.3.2).
 */
export function serveInTurn(
  handle: RequestListener,
  table: ConnectionTable,
  onRefusal: (why: Refusal) => void,
): RequestListener {
  const run = (connection: OpenConnection, request: IncomingMessage, response: ServerResponse): void => {
    table.begin(connection);
    // 'close' is emitted exactly once, and after it the next response has the socket.
    response.on('close', () => next(connection));
    handle(request, response);
  };
  const next = (connection: OpenConnection): void => {
    table.rest(connection);
    const exchange = connection.socket.destroyed ? undefined : connection.waiting.shift();
    if (exchange !== undefined) run(connection, ...exchange);
  };
  return (request, response) => {
    const connection = table.find(request.socket);
    // Node has parsed it although its connection was refused or closed.
    if (connection === undefined || connection.socket.destroyed) return;
    if (!connection.isBusy) run(connection, request, response);
    else if (connection.waiting.length < MAX_WAITING) connection.waiting.push([request, response]);
    else {
      onRefusal('pipelining');
      connection.socket.destroy();
    }
  };
}
