import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { ConnectionLimits, ConnectionTable, OpenConnection, Refusal } from '../connections/connection-table.ts';
import { endWithProblem } from './malformed-request.ts';

/** Get the module in this way: an import of `node:http` would also load Node's HTTP client. */
const { createServer } = process.getBuiltinModule('node:http');

/** How many times Node looks for late requests within `headersTimeout`. */
const CHECKS = 4;

/**
 * How long a connection may wait for its next request. Load balancers close idle connections after 60 s, and must do so
 * before the service does.
 */
const KEEP_ALIVE_MS = 72_000;

/** Creates the servers of an app, one for each address of its host name. All of them share the connection table. */
export function serverFactory(
  table: ConnectionTable,
  deps: {
    readonly limits: ConnectionLimits;
    readonly nextId: () => string;
    readonly onRefusal: (why: Refusal) => void;
  },
): (handle: RequestListener) => Server {
  const { limits, nextId, onRefusal } = deps;
  const open = (socket: Socket): void => {
    const refusal = table.accept(socket);
    if (refusal !== undefined) endWithProblem(socket, problemOf(refusal, limits), nextId());
  };
  return (handle) =>
    createServer(
      {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        connectionsCheckingInterval: limits.headersMs / CHECKS,
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      serveInTurn(handle, table, onRefusal),
    )
      .on('connection', open)
      .on('listening', function (this: Server) {
        const timer = setInterval(() => closeStalled(table, limits.stallMs, onRefusal), limits.stallMs / LOOKS).unref();
        this.once('close', () => clearInterval(timer));
      });
}

const problemOf = (refusal: Refusal, { withoutTokenPerAddress }: ConnectionLimits): Problem =>
  refusal === 'address'
    ? new Problem(
        'TOO_MANY_CONNECTIONS',
        `${withoutTokenPerAddress} connections of this address are open on which no valid token was sent. Close one, or retry in 5 s.`,
        { retryAfterSeconds: 5 },
      )
    : new Problem('UNAVAILABLE', 'All connections of the service are in use. Retry in 5 s.', { retryAfterSeconds: 5 });

/** How many requests a client may send on a connection before it gets the replies. Each takes a few KiB of memory. */
const MAX_WAITING = 16;

/**
 * Runs the requests of a connection one after the other, so that only one of its replies is in memory. Closes a
 * connection with too many waiting requests. The client may then repeat requests that got no reply (RFC 9112, 9.3.2).
 */
function serveInTurn(
  handle: RequestListener,
  table: ConnectionTable,
  onRefusal: (why: Refusal) => void,
): RequestListener {
  const run = (connection: OpenConnection, request: IncomingMessage, response: ServerResponse): void => {
    table.begin(connection);
    // Use 'close', which is emitted exactly once, and after which the next response can use the socket.
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
    // Ignore requests on connections that were rejected or closed. Node still parses them.
    if (connection === undefined || connection.socket.destroyed) return;
    if (!connection.isBusy) run(connection, request, response);
    else if (connection.waiting.length < MAX_WAITING) connection.waiting.push([request, response]);
    else {
      onRefusal('pipelining');
      connection.socket.destroy();
    }
  };
}

/** How many times connections are checked within `stallMs`. */
const LOOKS = 12;

/** Closes connections whose clients read nothing of a reply for `stallMs`. */
function closeStalled(table: ConnectionTable, stallMs: number, onRefusal: (why: Refusal) => void): void {
  const now = performance.now();
  for (const connection of table) {
    const { socket } = connection;
    const unsent = socket.writableLength;
    const taken = unsent === 0 ? -1 : socket.bytesWritten - unsent;
    if (taken === -1 || taken !== connection.takenBytes) {
      connection.takenBytes = taken;
      connection.takenSince = now;
    } else if (now - connection.takenSince >= stallMs) {
      onRefusal('stalled');
      socket.destroy();
    }
  }
}
