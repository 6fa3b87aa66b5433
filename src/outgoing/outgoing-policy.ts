import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { asSent, isPublicAddress, parseAddress } from './public-address.ts';

/** Where the client may connect. The empty policy allows nothing. */
export interface OutgoingPolicy {
  /** Whether every public address is allowed, on the ports of the web: 80, 443, and 1024 to 65535. */
  readonly isPublicAllowed: boolean;
  /** Hosts that are allowed wherever they are. */
  readonly hosts: readonly AllowedHost[];
}

/** One entry of the operator's list. */
export interface AllowedHost {
  /**
   * A host name in lower case, an address, or a network such as `10.0.0.0/8`. A name allows each address that it resolves
   * to, and only in URLs that contain the name. An address or a network also allows each name that resolves to it.
   */
  readonly host: string;
  readonly port: number;
}

/** The host and port of a URL. */
export interface Destination {
  /** In lower case, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads host and port of an http(s) URL. */
export function destinationOf(url: URL): Destination {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: hostName(url.hostname), port };
}

/** A host name in the one form in which names are compared: without brackets and the dot of an absolute name. */
export const hostName = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

/** Whether the operator's list names the host itself, whatever it resolves to. */
export const isListedName = (policy: OutgoingPolicy, { host, port }: Destination): boolean =>
  policy.hosts.some((entry) => entry.port === port && entry.host === host);

/**
 * Whether a connection to `address` for a URL with this destination is allowed. An address of this machine is never
 * public, because what listens there may trust the machine itself.
 */
export function isAllowed(policy: OutgoingPolicy, destination: Destination, address: string): boolean {
  if (isListedName(policy, destination)) return true;
  if (policy.hosts.some((entry) => entry.port === destination.port && contains(entry.host, address))) return true;
  return policy.isPublicAllowed && isWebPort(destination.port) && isPublicAddress(address) && !isOwnAddress(address);
}

/** Lower ports belong to services such as mail, which must not receive what a client wrote. */
const isWebPort = (port: number): boolean => port === 80 || port === 443 || port >= 1024;

/** Whether an entry is this address, or a network that contains it. */
function contains(entry: string, text: string): boolean {
  const parsed = parseAddress(text);
  if (parsed === undefined) return false;
  const address = asSent(parsed);
  const [network = '', bits] = entry.split('/');
  const base = parseAddress(network);
  if (base === undefined || base.kind() !== address.kind()) return false;
  const length = bits === undefined ? (base instanceof ipaddr.IPv4 ? 32 : 128) : Number(bits);
  return address.match(base, length);
}

function isOwnAddress(text: string): boolean {
  const address = parseAddress(text)?.toNormalizedString();
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => parseAddress(own.address)?.toNormalizedString() === address);
}
