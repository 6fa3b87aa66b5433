import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutgoingError } from './outgoing-error.ts';
import { type Destination, isAllowed, type OutgoingPolicy } from './outgoing-policy.ts';

/** One address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds all addresses of a host name. Rejects with an error whose code is ENOTFOUND if there are none. */
export type HostLookup = (name: string) => Promise<readonly HostAddress[]>;

/** Asks the system: /etc/hosts, then DNS. */
export const systemLookup: HostLookup = async (name) =>
  (await lookup(name, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));

/**
 * The addresses of a destination that the policy allows, at least one. Throws ADDRESS_NOT_ALLOWED if there is none,
 * HOST_NOT_FOUND if the name has no address, or if it could not be found out.
 */
export async function resolveHost(
  policy: OutgoingPolicy,
  destination: Destination,
  findAddresses: HostLookup,
): Promise<readonly HostAddress[]> {
  const { host } = destination;
  const found = await addressesOf(host, findAddresses);
  const allowed = found.filter(({ address }) => isAllowed(policy, destination, address));
  if (allowed.length > 0) return allowed;
  throw addressNotAllowed(
    destination,
    found.map(({ address }) => address),
  );
}

/** The error for a host at addresses that the policy does not allow. Only its cause has the addresses. */
export const addressNotAllowed = ({ host, port }: Destination, addresses: readonly string[]): OutgoingError =>
  new OutgoingError(
    'ADDRESS_NOT_ALLOWED',
    `${host} port ${port} is not public, and the operator does not allow it.`,
    new Error(`${host} port ${port}: ${addresses.join(', ')}`),
  );

async function addressesOf(host: string, findAddresses: HostLookup): Promise<readonly HostAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }];
  const found = await findAddresses(host).catch((cause: unknown) => {
    throw new OutgoingError('HOST_NOT_FOUND', `${host} has no address in DNS, or DNS did not answer.`, cause);
  });
  if (found.length === 0) throw new OutgoingError('HOST_NOT_FOUND', `${host} has no address in DNS.`);
  return found;
}
