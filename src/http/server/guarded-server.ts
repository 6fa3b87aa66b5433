import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../domain/problem.ts';
import type { ConnectionLimits } from '../connections/connection-limits.ts';
import type { ConnectionTable, Refusal } from '../connections/connection-table.ts';
import { serveInTurn } from '../connections/serve-in-turn.ts';
import { watchStalledReplies } from '../connections/stalled-replies.ts';
import { endWithProblem } from './socket-reply.ts';

/** An import would load Node's HTTP client too, whose classes the module exports. */
const { createServer } = process.getBuiltinModule('node:http');

/** How often Node looks for late requests, within the time for header fields. */
const CHECKS = 4;

/** The time for the next request on a connection. Load balancers close theirs after 60 s, and must be the first. */
const KEEP_ALIVE_MS = 72_000;

/** Creates the servers of an app. All of them share the table: a host name may have several addresses. */
export function serverFactory(
  table: ConnectionTable,
  deps: {
    readonly limits: ConnectionLimits;
    readonly nextId: () => string;
    readonly onRefusal: (why: Refusal) => void;
  },
): (handle: RequestListener) => Server {
  const { limits, nextId, onRefusal } = deps;
  const watch = watchStalledReplies(table, { stallMs: limits.stallMs, onRefusal });
  const open = (socket: Socket): void => {
    watch();
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
    ).on('connection', open);
}

const problemOf = (refusal: Refusal, { withoutTokenPerAddress }: ConnectionLimits): Problem =>
  refusal === 'address'
    ? new Problem(
        'TOO_MANY_CONNECTIONS',
        `${withoutTokenPerAddress} connections of this address are open on which no valid token was sent. Close one, or retry in 5 s.`,
        { retryAfterSeconds: 5 },
      )
    : new Problem('UNAVAILABLE', 'All connections of the service are in use. Retry in 5 s.', { retryAfterSeconds: 5 });
