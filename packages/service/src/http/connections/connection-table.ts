import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tally } from '@telecine/contract/domain/tally.ts';
import type { Logger } from 'pino';
import { addressKey } from '../../auth/address-key.ts';

/**
 * Why a connection or a request was rejected, or a connection was closed.
 * - `address`: too many connections without a token have this address
 * - `full`: all connections are in use
 * - `replaced`: a newer connection replaced this one
 * - `pipelining`: the client sent too many requests before it got replies
 * - `stalled`: the client read nothing of a reply
 * - `client`: too many requests of this client, or by links, are running
 * - `bytes`: the memory for bodies and replies is in use
 */
export type Refusal = 'address' | 'full' | 'replaced' | 'pipelining' | 'stalled' | 'client' | 'bytes';

/** An open connection, and the state of its requests. */
export interface OpenConnection {
  readonly socket: Socket;
  /**
   * true: each request counts for the address of its caller, and not the connection. A trusted proxy opened the connection,
   * which therefore carries requests of several callers, or it has carried a request by a link.
   */
  countsRequests: boolean;
  /**
   * The address for whose limit this connection counts. With `countsRequests`, it is set only while a request without a
   * valid token or link runs.
   */
  countedFor: string | undefined;
  isBusy: boolean;
  /** Requests that arrived before the reply to an earlier request was sent. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  /** How many bytes of replies the socket has sent. -1: there is nothing to send. */
  takenBytes: number;
  /** The time since which the socket has sent nothing more. */
  takenSince: number;
}

export type ConnectionTable = ReturnType<typeof connectionTable>;

/**
 * The open connections of a process. Rejects a new connection if too many connections without a token have its address.
 * If there are too many connections without a token in total, a new one replaces the oldest: clients usually send their
 * token within milliseconds. If all connections are in use, a new one replaces the connection that has been idle the
 * longest.
 *
 * On a connection from a trusted proxy, each request counts for the address that the proxy names. When a connection
 * must be replaced, idle ones from a proxy are replaced first.
 */
export function connectionTable(
  limits: ConnectionLimits,
  {
    isProxy,
    onRefusal,
  }: { readonly isProxy: (address: string) => boolean; readonly onRefusal: (why: Refusal) => void },
) {
  const bySocket = new Map<Socket, OpenConnection>();
  /** Connections that have not sent a valid token, the oldest first. */
  const withoutToken = new Set<OpenConnection>();
  /** Idle connections, first the one that has been idle the longest. */
  const idle = new Set<OpenConnection>();
  const perAddress = tally();

  const stopCountingAddress = (connection: OpenConnection): void => {
    if (connection.countedFor !== undefined) perAddress.remove(connection.countedFor);
    connection.countedFor = undefined;
  };
  const stopCounting = (connection: OpenConnection): void => {
    stopCountingAddress(connection);
    withoutToken.delete(connection);
  };
  const forget = (connection: OpenConnection): void => {
    stopCounting(connection);
    idle.delete(connection);
    bySocket.delete(connection.socket);
  };
  const replace = (connection: OpenConnection): void => {
    forget(connection);
    connection.socket.destroy();
    onRefusal('replaced');
  };

  const refuse = (why: Refusal): Refusal => {
    onRefusal(why);
    return why;
  };
  const isOverLimit = (address: string): boolean => perAddress.of(address) >= limits.withoutTokenPerAddress;
  const isIdleFromProxy = (connection: OpenConnection): boolean => connection.countsRequests && idle.has(connection);
  /** Counts a connection as the newest one without a token. If there are too many such connections, closes one. */
  const startCounting = (connection: OpenConnection, address: string | undefined): void => {
    stopCounting(connection);
    withoutToken.add(connection);
    connection.countedFor = address;
    if (address !== undefined) perAddress.add(address);
    if (withoutToken.size <= limits.withoutToken) return;
    const next = [...withoutToken].find(isIdleFromProxy) ?? firstOf(withoutToken);
    if (next !== undefined) replace(next);
  };

  return {
    /**
     * Adds a new connection, and closes another one if necessary. Returns undefined, or the reason why the new
     * connection must be rejected.
     */
    accept: (socket: Socket): Refusal | undefined => {
      const { remoteAddress = '' } = socket;
      const countsRequests = isProxy(remoteAddress);
      const address = countsRequests ? undefined : addressKey(remoteAddress);
      if (address !== undefined && isOverLimit(address)) return refuse('address');
      const connection: OpenConnection = {
        ...{ socket, countsRequests, countedFor: undefined, isBusy: false, waiting: [] },
        ...{ takenBytes: -1, takenSince: 0 },
      };
      bySocket.set(socket, connection);
      socket.once('close', () => forget(connection));
      startCounting(connection, address);
      if (bySocket.size <= limits.all) return undefined;
      const next = firstOf(idle) ?? firstOf(withoutToken) ?? connection;
      if (next !== connection) {
        replace(next);
        return undefined;
      }
      forget(connection);
      return refuse('full');
    },
    /** Finds the connection of a socket. undefined: it was rejected, replaced or closed. */
    find: (socket: Socket): OpenConnection | undefined => bySocket.get(socket),
    /** Call this when a request on the connection begins. */
    begin: (connection: OpenConnection): void => {
      connection.isBusy = true;
      idle.delete(connection);
    },
    /**
     * Counts a connection with `countsRequests` for the address of the caller of its request. Returns undefined, or the reason
     * why the request must be rejected.
     */
    countFor: (connection: OpenConnection, address: string): Refusal | undefined => {
      if (isOverLimit(address)) return refuse('address');
      startCounting(connection, address);
      return undefined;
    },
    /** Call this when no request on the connection is running. */
    rest: (connection: OpenConnection): void => {
      connection.isBusy = false;
      if (connection.countsRequests) stopCountingAddress(connection);
      if (bySocket.has(connection.socket)) idle.add(connection);
    },
    /** Call this when a request has a valid token: the connection no longer counts as one without a token. */
    trust: stopCounting,
    /**
     * Call this when a request has a valid link: it does not count as one without a token, but later requests on the
     * connection do. Otherwise, everyone with a link could have any number of them.
     */
    trustRequest: (connection: OpenConnection): void => {
      const hasSentToken = !withoutToken.has(connection);
      if (hasSentToken) return;
      stopCounting(connection);
      connection.countsRequests = true;
    },
    [Symbol.iterator]: (): Iterator<OpenConnection> => bySocket.values(),
  };
}

const firstOf = (connections: ReadonlySet<OpenConnection>): OpenConnection | undefined =>
  connections.values().next().value;

/** The limits for the open connections of a process. */
export interface ConnectionLimits {
  /** The maximum number of open connections. */
  readonly all: number;
  /** The maximum number of connections on which no valid token was sent yet. */
  readonly withoutToken: number;
  /**
   * The maximum number of such connections from one address or /64 network. On connections from a trusted proxy, only
   * running requests count. It is also the maximum number of running requests by links from one address.
   */
  readonly withoutTokenPerAddress: number;
  /** The maximum size of request bodies and replies in memory, in bytes. */
  readonly bytesInFlight: number;
  /** A client that reads nothing of a reply for this time is disconnected. */
  readonly stallMs: number;
  /**
   * The time limit for the request line and the header fields. It also applies to a new connection without a request.
   */
  readonly headersMs: number;
  /** The time limit for a whole request. Uploads have a minimum speed instead. */
  readonly requestMs: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  all: 4096,
  withoutToken: 1024,
  withoutTokenPerAddress: 256,
  bytesInFlight: 96 * 2 ** 20,
  stallMs: 60_000,
  headersMs: 20_000,
  requestMs: 60_000,
};

/** The minimum time between two log lines about refusals. */
const PAUSE_MS = 60_000;

/** Counts refusals, and logs their number for each reason, at most once a minute. */
export function refusalLog(
  { logger, metrics }: { readonly logger: Pick<Logger, 'warn'>; readonly metrics: { countRefusal(why: string): void } },
  now: () => number = performance.now.bind(performance),
): (why: Refusal) => void {
  let counts: Partial<Record<Refusal, number>> = {};
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (why) => {
    metrics.countRefusal(why);
    counts[why] = (counts[why] ?? 0) + 1;
    if (now() - loggedAt < PAUSE_MS) return;
    logger.warn({ refused: counts }, 'connections or requests refused');
    loggedAt = now();
    counts = {};
  };
}
