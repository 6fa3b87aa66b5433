import { isIP } from 'node:net';
import { OutgoingError } from './outgoing-error.ts';
import { type Destination, isAllowed, isListedName, type OutgoingPolicy } from './outgoing-policy.ts';

/** One address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface HostLookupOptions {
  /** Whether the operator's list has the name, so that no client chose it. */
  readonly isListed: boolean;
  /** Aborted when nobody waits for the addresses any more. */
  readonly signal: AbortSignal;
}

/** Finds all addresses of a host name. Rejects with an error whose code is ENOTFOUND if there are none. */
export type HostLookup = (name: string, options: HostLookupOptions) => Promise<readonly HostAddress[]>;

/**
 * How many addresses of a host are looked at. A client's own DNS server can reply with thousands. A check of one takes tens of
 * microseconds. If the system rejects them at once, Node tries all in one turn of the event loop, or overflows its stack.
 */
const MAX_ADDRESSES = 32;

/**
 * Looks at `MAX_ADDRESSES` addresses of a destination at most, and returns those that the policy allows, at least one. Throws
 * ADDRESS_NOT_ALLOWED if there is none, HOST_NOT_FOUND if the name has no address, or if it could not be found out.
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
 * The first `MAX_ADDRESSES`. Each family has half of them if it has so many: this machine may have no route to the other one.
 */
function firstAddresses(all: readonly HostAddress[]): readonly HostAddress[] {
  const [ipv4, ipv6] = [all.filter(({ family }) => family === 4), all.filter(({ family }) => family === 6)];
  const most = (others: readonly HostAddress[]): number => Math.max(MAX_ADDRESSES / 2, MAX_ADDRESSES - others.length);
  const kept = new Set([...ipv4.slice(0, most(ipv6)), ...ipv6.slice(0, most(ipv4))]);
  return all.filter((one) => kept.has(one));
}

/** The error for a host at addresses that the policy does not allow. Only its cause has the addresses. */
export const addressNotAllowed = ({ host, port }: Destination, addresses: readonly string[]): OutgoingError =>
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
