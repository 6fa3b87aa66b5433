import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tally } from '@telecine/contract/domain/tally.ts';
import type { Logger } from 'pino';
import { addressKey } from '../../auth/address-key.ts';
import { linkedList, nodeOf } from './linked-list.ts';

/**
 * Why a connection or a request was rejected, or a connection closed.
 * - `address`: too many connections without a token have its address
 * - `full`: all connections are in use
 * - `replaced`: a newer connection replaced it
 * - `pipelining`: the client sent too many requests ahead
 * - `stalled`: the client read nothing
 * - `client`: too many requests of the client run
 * - `bytes`: the memory for bodies and replies is in use
 */
export type Refusal = 'address' | 'full' | 'replaced' | 'pipelining' | 'stalled' | 'client' | 'bytes';

export class OpenConnection {
  readonly socket: Socket;
  /** Whether it comes from a trusted proxy, with requests of several callers. */
  readonly isProxied: boolean;
  /** The address whose limit includes this connection. For a proxy: only while a request without a valid token runs. */
  countedFor: string | undefined = undefined;
  isBusy = false;
  /** Requests that arrived before the reply to an earlier one. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  /** The bytes of replies that the socket has taken. -1: nothing to send. */
  takenBytes = -1;
  /** Since when the socket has taken no more. */
  takenSince = 0;
  /** Its nodes in the lists of the table. */
  readonly nodes = {
    withoutToken: nodeOf<OpenConnection>(this),
    idleWithoutToken: nodeOf<OpenConnection>(this),
    idle: nodeOf<OpenConnection>(this),
  };

  constructor(socket: Socket, isProxied: boolean) {
    this.socket = socket;
    this.isProxied = isProxied;
  }
}

export type ConnectionTable = ReturnType<typeof connectionTable>;

/**
 * The open connections of a process. Limits connections without a token by address and in total, and all connections in total. A new
 * connection without a token replaces the oldest one, because a client usually sends its token within milliseconds. If all connections
 * are in use, a new one replaces the longest idle one.
 *
 * For connections from a trusted proxy, a request counts for the address that the proxy names, and idle connections are replaced first.
 */
export function connectionTable(
  limits: ConnectionLimits,
  {
    isProxy,
    onRefusal,
  }: { readonly isProxy: (address: string) => boolean; readonly onRefusal: (why: Refusal) => void },
) {
  const bySocket = new Map<Socket, OpenConnection>();
  /** The oldest comes first. */
  const withoutToken = linkedList<OpenConnection>();
  /** Idle connections from a proxy without a token. The longest idle comes first. */
  const idleWithoutToken = linkedList<OpenConnection>();
  /** The longest idle comes first. */
  const idle = linkedList<OpenConnection>();
  const perAddress = tally();

  const stopCountingAddress = (connection: OpenConnection): void => {
    if (connection.countedFor !== undefined) perAddress.remove(connection.countedFor);
    connection.countedFor = undefined;
  };
  const stopCounting = (connection: OpenConnection): void => {
    stopCountingAddress(connection);
    withoutToken.remove(connection.nodes.withoutToken);
    idleWithoutToken.remove(connection.nodes.idleWithoutToken);
  };
  const forget = (connection: OpenConnection): void => {
    stopCounting(connection);
    idle.remove(connection.nodes.idle);
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
  /** Counts a connection as the newest without a token. If there are too many, replaces one. */
  const startCounting = (connection: OpenConnection, address: string | undefined): void => {
    stopCounting(connection);
    withoutToken.append(connection.nodes.withoutToken);
    connection.countedFor = address;
    if (address !== undefined) perAddress.add(address);
    const next = idleWithoutToken.first ?? withoutToken.first;
    if (next !== undefined && withoutToken.size > limits.withoutToken) replace(next);
  };

  return {
    get size(): number {
      return bySocket.size;
    },
    /** Adds a new connection, and closes another connection if necessary. Returns why the new one must be rejected. */
    accept: (socket: Socket): Refusal | undefined => {
      const { remoteAddress = '' } = socket;
      const isProxied = isProxy(remoteAddress);
      const address = isProxied ? undefined : addressKey(remoteAddress);
      if (address !== undefined && isOverLimit(address)) return refuse('address');
      const connection = new OpenConnection(socket, isProxied);
      bySocket.set(socket, connection);
      socket.once('close', () => forget(connection));
      startCounting(connection, address);
      if (bySocket.size <= limits.all) return undefined;
      const next = idle.first ?? withoutToken.first ?? connection;
      if (next !== connection) {
        replace(next);
        return undefined;
      }
      forget(connection);
      return refuse('full');
    },
    /** Returns undefined if the connection was rejected, replaced or closed. */
    find: (socket: Socket): OpenConnection | undefined => bySocket.get(socket),
    /** Call this when a request of the connection begins. */
    begin: (connection: OpenConnection): void => {
      connection.isBusy = true;
      idle.remove(connection.nodes.idle);
      idleWithoutToken.remove(connection.nodes.idleWithoutToken);
    },
    /** Counts a connection from a proxy for the caller of its request. Returns why the request must be rejected. */
    countFor: (connection: OpenConnection, address: string): Refusal | undefined => {
      if (isOverLimit(address)) return refuse('address');
      startCounting(connection, address);
      return undefined;
    },
    /** Call this when no request of the connection runs. */
    rest: (connection: OpenConnection): void => {
      connection.isBusy = false;
      if (connection.isProxied) {
        stopCountingAddress(connection);
        if (connection.nodes.withoutToken.isLinked) idleWithoutToken.append(connection.nodes.idleWithoutToken);
      }
      if (bySocket.has(connection.socket)) idle.append(connection.nodes.idle);
    },
    /** Stops counting the connection for an address, because its request has a valid token. */
    trust: stopCounting,
    [Symbol.iterator]: (): Iterator<OpenConnection> => bySocket.values(),
  };
}

/** The limits for the open connections of a process. */
export interface ConnectionLimits {
  /** Open connections. */
  readonly all: number;
  /** Connections without a valid token so far. */
  readonly withoutToken: number;
  /** The same from one address or /64. Behind a trusted proxy: running requests without a valid token. */
  readonly withoutTokenPerAddress: number;
  /** The bytes of request bodies and of replies in memory. */
  readonly bytesInFlight: number;
  /** A client that takes nothing of a reply for this long is disconnected. */
  readonly stallMs: number;
  /** The timeout for the request line and the header fields, and for a connection without a request. */
  readonly headersMs: number;
  /** The timeout for a whole request. Uploads have a minimum speed instead. */
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

/** The shortest time between two log lines. */
const PAUSE_MS = 60_000;

/** Counts refusals, and logs their number by reason, at most once a minute. */
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
