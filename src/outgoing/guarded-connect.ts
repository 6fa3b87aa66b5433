import { connect as connectTcp, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { OutgoingError } from './outgoing-error.ts';
import { type Destination, destinationOf, isAllowed, type OutgoingPolicy } from './outgoing-policy.ts';
import { addressNotAllowed, type HostAddress, type HostLookup, resolveHost } from './resolve-host.ts';

/** How long one of several addresses may take before the next is tried. Node's 250 ms are too short for far hosts. */
const NEXT_ADDRESS_MS = 1000;

/** What `guardedConnect` needs. */
export interface GuardedConnectOptions {
  readonly policy: OutgoingPolicy;
  readonly findAddresses: HostLookup;
  /** Adds TLS to an open connection. */
  readonly startTls: buildConnector.connector;
  /** For DNS and TCP together. */
  readonly timeoutMs: number;
}

/**
 * Opens the connections of the client. It resolves the host, and connects only to addresses that the policy allows. The
 * address of the open connection is checked once more before TLS or HTTP sends anything.
 */
export const guardedConnect =
  ({ startTls, ...guard }: GuardedConnectOptions): buildConnector.connector =>
  (options, callback) => {
    const destination = destinationFrom(options);
    openSocket(destination, guard).then(
      (socket) => {
        if (options.protocol !== 'https:') callback(null, failOnReset(socket));
        else
          startTls({ ...options, httpSocket: socket }, (...[error, secured]) => {
            if (error === null) callback(null, failOnReset(secured));
            else callback(tlsError(destination, error), null);
          });
      },
      (error: Error) => callback(error, null),
    );
  };

/**
 * undici takes a reset as the end of a body that has no length, so that a part of a file would pass for the whole. It tells
 * resets by their code.
 */
const failOnReset = <S extends Socket>(socket: S): S =>
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'EPIPE';
  });

/** undici removes the brackets of an IPv6 address. */
function destinationFrom({ protocol, hostname, port }: buildConnector.Options): Destination {
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
  return destinationOf(new URL(`${protocol}//${host}${port === '' ? '' : `:${port}`}`));
}

async function openSocket(
  destination: Destination,
  { policy, findAddresses, timeoutMs }: Omit<GuardedConnectOptions, 'startTls'>,
): Promise<Socket> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const ended = new AbortController();
  let addresses: readonly HostAddress[] | undefined;
  let socket: Socket | undefined;
  const timer = setTimeout(() => {
    const missing = addresses === undefined ? 'was not resolved by DNS' : 'did not accept a connection';
    reject(new OutgoingError('TIMEOUT', `${destination.host} ${missing} in time.`));
  }, timeoutMs);
  try {
    addresses = await Promise.race([resolveHost(policy, destination, findAddresses, ended.signal), late]);
    socket = connectTo(addresses, destination.port);
    await Promise.race([connected(socket, destination), late]);
    if (isAllowed(policy, destination, socket.remoteAddress ?? '')) return socket;
    throw addressNotAllowed(destination, [socket.remoteAddress ?? 'no address']);
  } catch (error) {
    socket?.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

/** Connects to one of the addresses. The first that answers wins. */
const connectTo = (addresses: readonly HostAddress[], port: number): Socket =>
  connectTcp({
    // Node calls `lookup` only for a name. This one is never resolved.
    host: 'checked.invalid',
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    lookup: (_name, options, done) => {
      const [first] = addresses;
      if (options.all === true) done(null, [...addresses]);
      else done(null, first?.address ?? '', first?.family);
    },
  });

const connected = (socket: Socket, { host }: Destination): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    // The listener stays, so that no later error is without one.
    socket.on('error', (cause) =>
      reject(new OutgoingError('CONNECT_FAILED', `${host} did not accept a connection.`, cause)),
    );
  });

function tlsError({ host }: Destination, error: Error): OutgoingError {
  const code = 'code' in error ? String(error.code) : 'no code';
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new OutgoingError('TIMEOUT', `${host} did not finish TLS in time.`, error);
  // A server that restarts does this, so it may not happen again.
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return new OutgoingError('CONNECT_FAILED', `${host} closed the connection during TLS.`, error);
  return new OutgoingError('TLS_FAILED', `${host}: TLS failed (${code}).`, error);
}
