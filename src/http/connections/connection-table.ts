import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './address-key.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { tally } from './tally.ts';

/**
 * Why a connection or a request was refused, or a connection closed. `address`: its address has too many without a token.
 * `full`: all connections are in use. `replaced`: a newer connection took its place. `pipelining`: too many requests were sent
 * ahead. `stalled`: its client read nothing. `client`: its client has too many running requests. `bytes`: there is no memory for
 * its body or its reply.
 */
export type Refusal = 'address' | 'full' | 'replaced' | 'pipelining' | 'stalled' | 'client' | 'bytes';

export interface OpenConnection {
  readonly socket: Socket;
  /** Whether it comes from a trusted proxy, so that its requests come from several callers. */
  readonly isProxied: boolean;
  /** The address that it counts for. undefined: it has had a valid token, or comes from a proxy and no request runs. */
  countedFor: string | undefined;
  isBusy: boolean;
  /** Requests that were sent before the reply to an earlier one. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  /** The bytes of replies that the socket has taken, and since when it has taken no more. -1: nothing is to be sent. */
  takenBytes: number;
  takenSince: number;
}

/** The open connections of a process, with room for new ones. */
export interface ConnectionTable extends Iterable<OpenConnection> {
  readonly size: number;
  /** Adds a new connection, and closes another one for it if needed. Returns why it must be refused, if it must. */
  accept(socket: Socket): Refusal | undefined;
  /** Returns undefined if the connection was refused, replaced or closed. */
  find(socket: Socket): OpenConnection | undefined;
  /** A request of the connection begins. */
  begin(connection: OpenConnection): void;
  /** Counts a connection from a proxy for the caller of its running request. Returns why the request must be refused, if it must. */
  countFor(connection: OpenConnection, address: string): Refusal | undefined;
  /** No request of the connection runs. */
  rest(connection: OpenConnection): void;
  /** The running request has a valid token, so that the connection no longer counts for an address. */
  trust(connection: OpenConnection): void;
}

/**
 * Limits the connections without a token by address, and the others in all. A caller without a token cannot keep out others: the
 * oldest connection without a token gives way to a new one, which usually shows its token within milliseconds. If all are in use,
 * the one that has been idle longest gives way.
 */
export function connectionTable(
  limits: ConnectionLimits,
  {
    isProxy,
    onRefusal,
  }: { readonly isProxy: (address: string) => boolean; readonly onRefusal: (why: Refusal) => void },
): ConnectionTable {
  const bySocket = new Map<Socket, OpenConnection>();
  /** The oldest first. */
  const withoutToken = new Set<OpenConnection>();
  /** The one that has been idle longest first. */
  const idle = new Set<OpenConnection>();
  const perAddress = tally();

  const stopCounting = (connection: OpenConnection): void => {
    if (connection.countedFor === undefined) return;
    perAddress.remove(connection.countedFor);
    withoutToken.delete(connection);
    connection.countedFor = undefined;
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

  /** Makes room for a connection without a token from an address. */
  const makeRoomFor = (address: string): Refusal | undefined => {
    const [oldest] = withoutToken;
    if (perAddress.of(address) >= limits.withoutTokenPerAddress) return 'address';
    if (oldest !== undefined && withoutToken.size >= limits.withoutToken) replace(oldest);
    return undefined;
  };
  const makeRoom = (): Refusal | undefined => {
    if (bySocket.size < limits.all) return undefined;
    const [oldest] = withoutToken;
    const [next = oldest] = idle;
    if (next === undefined) return 'full';
    replace(next);
    return undefined;
  };
  const startCounting = (connection: OpenConnection, address: string): void => {
    connection.countedFor = address;
    perAddress.add(address);
    withoutToken.add(connection);
  };

  return {
    get size() {
      return bySocket.size;
    },
    accept: (socket) => {
      const { remoteAddress = '' } = socket;
      const isProxied = isProxy(remoteAddress);
      const address = addressKey(remoteAddress);
      const refusal = (isProxied ? undefined : makeRoomFor(address)) ?? makeRoom();
      if (refusal !== undefined) {
        onRefusal(refusal);
        return refusal;
      }
      const connection: OpenConnection = {
        ...{ socket, isProxied, countedFor: undefined },
        ...{ isBusy: false, waiting: [], takenBytes: -1, takenSince: 0 },
      };
      bySocket.set(socket, connection);
      if (!isProxied) startCounting(connection, address);
      socket.once('close', () => forget(connection));
      return undefined;
    },
    find: (socket) => bySocket.get(socket),
    begin: (connection) => {
      connection.isBusy = true;
      idle.delete(connection);
      if (connection.isProxied) stopCounting(connection);
    },
    countFor: (connection, address) => {
      const refusal = makeRoomFor(address);
      if (refusal === undefined) startCounting(connection, address);
      else onRefusal(refusal);
      return refusal;
    },
    rest: (connection) => {
      connection.isBusy = false;
      if (connection.isProxied) stopCounting(connection);
      if (bySocket.has(connection.socket)) idle.add(connection);
    },
    trust: stopCounting,
    [Symbol.iterator]: () => bySocket.values(),
  };
}
