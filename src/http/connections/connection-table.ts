import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { tally } from '../../domain/tally.ts';
import { addressKey } from './caller-address.ts';
import { linkedList, nodeOf } from './linked-list.ts';

/**
 * Why a connection or a request was rejected, or a connection closed.
 * - `address`: too many connections without a token have its address.
 * - `full`: all connections are in use.
 * - `replaced`: a newer connection took its place.
 * - `pipelining`: too many requests were sent ahead.
 * - `stalled`: its client read nothing.
 * - `client`: its client has too many running requests.
 * - `bytes`: there is no memory for its body or its reply.
 */
export type Refusal = 'address' | 'full' | 'replaced' | 'pipelining' | 'stalled' | 'client' | 'bytes';

export class OpenConnection {
  readonly socket: Socket;
  /** Whether it comes from a trusted proxy, so that its requests come from several callers. */
  readonly isProxied: boolean;
  /**
   * The address whose limit includes this connection. A connection from a proxy has one only while a request without a valid
   * token runs on it.
   */
  countedFor: string | undefined = undefined;
  isBusy = false;
  /** Requests that arrived before the reply to an earlier one. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  /** The bytes of replies that the socket has taken. -1: there is nothing to send. */
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

/** The open connections of a process, with room for new ones. */
export interface ConnectionTable extends Iterable<OpenConnection> {
  readonly size: number;
  /** Adds a new connection, and closes another one for it if needed. Returns why it must be rejected, if it must. */
  accept(socket: Socket): Refusal | undefined;
  /** Returns undefined if the connection was rejected, replaced or closed. */
  find(socket: Socket): OpenConnection | undefined;
  /** A request of the connection begins. */
  begin(connection: OpenConnection): void;
  /** Counts a connection from a proxy for the caller of its request. Returns why the request must be rejected, if it must. */
  countFor(connection: OpenConnection, address: string): Refusal | undefined;
  /** No request of the connection runs. */
  rest(connection: OpenConnection): void;
  /** The running request has a valid token, so that the connection no longer counts for an address. */
  trust(connection: OpenConnection): void;
}

/**
 * Limits the connections without a token by address and in all, and the others in all. A caller without a token cannot keep
 * others out: the oldest connection without a token gives way to a new one, which usually shows its token within milliseconds.
 * If all connections are in use, the one that has been idle longest gives way.
 *
 * Connections from a trusted proxy follow the same rules. A request counts for the address that the proxy names. Connections
 * that the proxy keeps open after a request give way first.
 */
export function connectionTable(
  limits: ConnectionLimits,
  {
    isProxy,
    onRefusal,
  }: { readonly isProxy: (address: string) => boolean; readonly onRefusal: (why: Refusal) => void },
): ConnectionTable {
  const bySocket = new Map<Socket, OpenConnection>();
  /** The oldest comes first. */
  const withoutToken = linkedList<OpenConnection>();
  /** Connections from a proxy, without a token, whose requests have ended. The one that has been idle longest comes first. */
  const idleWithoutToken = linkedList<OpenConnection>();
  /** The one that has been idle longest comes first. */
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
  /** Counts a connection as the newest without a token. If there are too many, one gives way. */
  const startCounting = (connection: OpenConnection, address: string | undefined): void => {
    stopCounting(connection);
    withoutToken.append(connection.nodes.withoutToken);
    connection.countedFor = address;
    if (address !== undefined) perAddress.add(address);
    const next = idleWithoutToken.first ?? withoutToken.first;
    if (next !== undefined && withoutToken.size > limits.withoutToken) replace(next);
  };

  return {
    get size() {
      return bySocket.size;
    },
    accept: (socket) => {
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
    find: (socket) => bySocket.get(socket),
    begin: (connection) => {
      connection.isBusy = true;
      idle.remove(connection.nodes.idle);
      idleWithoutToken.remove(connection.nodes.idleWithoutToken);
    },
    countFor: (connection, address) => {
      if (isOverLimit(address)) return refuse('address');
      startCounting(connection, address);
      return undefined;
    },
    rest: (connection) => {
      connection.isBusy = false;
      if (connection.isProxied) {
        stopCountingAddress(connection);
        if (connection.nodes.withoutToken.isLinked) idleWithoutToken.append(connection.nodes.idleWithoutToken);
      }
      if (bySocket.has(connection.socket)) idle.append(connection.nodes.idle);
    },
    trust: stopCounting,
    [Symbol.iterator]: () => bySocket.values(),
  };
}

/** What the open connections of a process may take. */
export interface ConnectionLimits {
  /** Open connections. */
  readonly all: number;
  /** Connections on which no request has had a valid token yet. */
  readonly withoutToken: number;
  /** The same from one address, or from one /64 of IPv6. Behind a trusted proxy: requests that run without a valid token. */
  readonly withoutTokenPerAddress: number;
  /** The bytes of request bodies and of replies in memory. */
  readonly bytesInFlight: number;
  /** A client that takes nothing of a reply for this long is disconnected. */
  readonly stallMs: number;
  /** The time for the request line and the header fields. It also ends connections on which nothing is sent. */
  readonly headersMs: number;
  /** The time for a whole request. Uploads have a minimum speed instead. */
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

/** An attack would fill the log otherwise. */
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
