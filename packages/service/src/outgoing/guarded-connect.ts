import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { HostAddress, HostLookup } from './host-lookup.ts';
import { OutgoingError } from './outgoing-error.ts';
import { type Destination, destinationOf, isAllowed, isListedName, type OutgoingPolicy } from './outgoing-policy.ts';

/**
 * If a host has several addresses, how long an address is tried before the next one. Node's default of 250 ms is too
 * short for distant hosts.
 */
const NEXT_ADDRESS_MS = 1000;

interface GuardedConnectOptions {
  readonly policy: OutgoingPolicy;
  readonly findAddresses: HostLookup;
  /** Starts TLS on an open connection. */
  readonly startTls: buildConnector.connector;
  /** The time limit for DNS and TCP together. */
  readonly timeoutMs: number;
}

/**
 * Opens connections only to addresses that the policy allows. Checks the address again when the connection is open,
 * before TLS starts.
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
 * Changes the error code of a connection reset. undici would take a reset for the end of a body without a declared
 * length.
 */
const failOnReset = <S extends Socket>(socket: S): S =>
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'EPIPE';
  });

/** Converts undici's options to a destination. undici removes the brackets of an IPv6 address; this adds them again. */
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

/** Connects to one of the addresses: the first that accepts. */
const connectTo = (addresses: readonly HostAddress[], port: number): Socket =>
  connectTcp({
    // Any name: Node calls `lookup` only for a name. Our `lookup` ignores the name and returns `addresses`.
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
    // Keep this listener, because without one, a later error would end the process.
    socket.on('error', (cause) =>
      reject(new OutgoingError('CONNECT_FAILED', `${host} did not accept a connection.`, cause)),
    );
  });

function tlsError({ host }: Destination, error: Error): OutgoingError {
  const code = 'code' in error ? String(error.code) : 'no code';
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new OutgoingError('TIMEOUT', `${host} did not finish TLS in time.`, error);
  // A server may close the connection for another reason than TLS, for example because it restarts.
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return new OutgoingError('CONNECT_FAILED', `${host} closed the connection during TLS.`, error);
  return new OutgoingError('TLS_FAILED', `${host}: TLS failed (${code}).`, error);
}

/**
 * How many addresses of a host are checked. A hostile DNS server can reply with thousands, and if the system rejects
 * connections at once, Node would try all of them in one turn of the event loop.
 */
const MAX_ADDRESSES = 32;

/**
 * Returns those addresses of a destination that the policy allows. If there is none, throws ADDRESS_NOT_ALLOWED, or
 * HOST_NOT_FOUND if the name has no address at all.
 */
export async function resolveHost(
  policy: OutgoingPolicy,
  destination: Destination,
  findAddresses: HostLookup,
  signal: AbortSignal,
): Promise<readonly HostAddress[]> {
  const { host } = destination;
  const isListed = isListedName(policy, destination);
  const all = await addressesOf(host, (name) => findAddresses(name, { isListed, signal }));
  const found = firstAddresses(all);
  const allowed = found.filter(({ address }) => isAllowed(policy, destination, address));
  if (allowed.length > 0) return allowed;
  throw addressNotAllowed(
    destination,
    found.map(({ address }) => address),
  );
}

/**
 * Returns the first `MAX_ADDRESSES` addresses, half of them IPv4 and half IPv6 if possible, because this machine may
 * have no route for one of the two.
 */
function firstAddresses(all: readonly HostAddress[]): readonly HostAddress[] {
  const [ipv4, ipv6] = [all.filter(({ family }) => family === 4), all.filter(({ family }) => family === 6)];
  const most = (others: readonly HostAddress[]): number => Math.max(MAX_ADDRESSES / 2, MAX_ADDRESSES - others.length);
  const chosen = new Set([...ipv4.slice(0, most(ipv6)), ...ipv6.slice(0, most(ipv4))]);
  return all.filter((one) => chosen.has(one));
}

/**
 * The error for a host whose addresses the policy does not allow. Only its cause contains the addresses, because
 * clients must not see them.
 */
const addressNotAllowed = ({ host, port }: Destination, addresses: readonly string[]): OutgoingError =>
  new OutgoingError(
    'ADDRESS_NOT_ALLOWED',
    `${host} port ${port} is not public, and the operator does not allow it.`,
    new Error(`${host} port ${port}: ${addresses.join(', ')}`),
  );

async function addressesOf(
  host: string,
  find: (name: string) => Promise<readonly HostAddress[]>,
): Promise<readonly HostAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }];
  const found = await find(host).catch((cause: unknown) => {
    throw new OutgoingError('HOST_NOT_FOUND', `${host} has no address in DNS, or DNS did not answer.`, cause);
  });
  if (found.length === 0) throw new OutgoingError('HOST_NOT_FOUND', `${host} has no address in DNS.`);
  return found;
}
