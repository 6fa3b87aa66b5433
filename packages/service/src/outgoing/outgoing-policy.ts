import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** To which addresses the client may connect. An empty policy allows nothing. */
export interface OutgoingPolicy {
  /** true: all public addresses are allowed, on the ports 80, 443, and 1024 to 65535. */
  readonly isPublicAllowed: boolean;
  /** Hosts that are allowed even if their addresses are not public. */
  readonly hosts: readonly AllowedHost[];
}

/** One entry of the operator's list of allowed hosts. */
interface AllowedHost {
  /**
   * A host name in lower case, an address, or a network such as `10.0.0.0/8`. A name allows all addresses of the host,
   * but only in URLs with this name. An address or a network also allows names that resolve to it.
   */
  readonly host: string;
  readonly port: number;
}

export interface Destination {
  /** The host name or address, in lower case and without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads the host and the port of an http(s) URL. */
export function destinationOf(url: URL): Destination {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: hostName(url.hostname), port };
}

/** Returns a host name in lower case, without brackets and without the final dot of an absolute name. */
const hostName = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

/** Whether the operator's list contains the host itself, with this port. */
export const isListedName = (policy: OutgoingPolicy, { host, port }: Destination): boolean =>
  policy.hosts.some((entry) => entry.port === port && entry.host === host);

/** Whether the policy allows a destination to be reached at `address`. An address of this machine is never public. */
export function isAllowed(policy: OutgoingPolicy, destination: Destination, address: string): boolean {
  if (isListedName(policy, destination)) return true;
  if (policy.hosts.some((entry) => entry.port === destination.port && contains(entry.host, address))) return true;
  return policy.isPublicAllowed && isWebPort(destination.port) && isPublicAddress(address) && !isOwnAddress(address);
}

/** Whether a port may be that of a web server. Other ports below 1024 belong to services such as mail. */
const isWebPort = (port: number): boolean => port === 80 || port === 443 || port >= 1024;

/** Whether an entry of the list is this address, or a network that contains it. */
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

/** The block with all public IPv6 addresses (IANA, IPv6 Global Unicast Address Space). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a text is a public IP address. Addresses in special ranges are not public (IANA's registries of
 * special-purpose addresses). IPv6 addresses that contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are
 * not public either, because the IPv4 address can be private.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/**
 * Parses an address in its usual form. undefined for any other text, such as `127.1`, `0x7f000001` or an address with a
 * zone.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined;
}

/**
 * Converts an IPv4-mapped IPv6 address to the IPv4 address that the kernel uses for it. Returns other addresses
 * unchanged.
 */
const asSent = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

/** Why a URL cannot be requested. */
type UrlFault =
  | 'NOT_A_URL'
  /** Neither http nor https. */
  | 'SCHEME'
  /** The URL contains a user name or a password. */
  | 'USER'
  /** The policy allows no URLs at all. */
  | 'NOTHING_ALLOWED'
  /** The host is an address that the policy does not allow, or a name that no entry can allow with this port. */
  | 'HOST';

/** Finds the fault in a URL without asking DNS. `isUserAllowed`: the URL may contain a user name and a password. */
export function checkUrl(policy: OutgoingPolicy, text: string, isUserAllowed = false): UrlFault | undefined {
  if (!URL.canParse(text)) return 'NOT_A_URL';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'SCHEME';
  if (!isUserAllowed && (url.username !== '' || url.password !== '')) return 'USER';
  if (!policy.isPublicAllowed && policy.hosts.length === 0) return 'NOTHING_ALLOWED';
  return isHostPossible(policy, url) ? undefined : 'HOST';
}

function isHostPossible(policy: OutgoingPolicy, url: URL): boolean {
  const destination = destinationOf(url);
  if (isIP(destination.host) !== 0) return isAllowed(policy, destination, destination.host);
  // Names that mean this machine (RFC 6761, 6.3).
  const isLocal = /(?:^|\.)localhost$/.test(destination.host);
  if (isListedName(policy, destination)) return true;
  if (policy.hosts.some(({ host, port }) => port === destination.port && isIP(host.split('/')[0] ?? '') !== 0))
    return true;
  return policy.isPublicAllowed && !isLocal && isWebPort(destination.port);
}
