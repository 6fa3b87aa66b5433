import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Where the client may connect. The empty policy allows nothing. */
export interface OutgoingPolicy {
  /** Whether every public address is allowed, on the ports of the web: 80, 443, and 1024 to 65535. */
  readonly isPublicAllowed: boolean;
  /** Hosts that are allowed wherever they are. */
  readonly hosts: readonly AllowedHost[];
}

/** One entry of the operator's list. */
interface AllowedHost {
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
const hostName = (host: string): string =>
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

/** The only block from which IPv6 addresses of the Internet are allocated (IANA, IPv6 Global Unicast Address Space). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address, as text, is one of the public Internet. False for all special ranges (IANA's registries of
 * special-purpose addresses): private, loopback, link-local, shared, multicast, reserved, documentation. Also false for
 * IPv6 addresses that contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo): a gateway or the kernel may send
 * them to that IPv4 address, which can be private. And false for a text that is not an address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/**
 * An address in its usual form. undefined: the text is something else, such as `127.1`, `0x7f000001`, or an address with a
 * zone, which means an interface of this machine.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined;
}

/** The same address, as IPv4 if the kernel sends to it by IPv4. */
const asSent = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

/** Why the text of a URL shows that it cannot be requested. */
export type UrlFault =
  | 'NOT_A_URL'
  /** Neither http nor https. */
  | 'SCHEME'
  /** It contains a user name or a password. */
  | 'USER'
  /** The policy allows nothing at all. */
  | 'NOTHING_ALLOWED'
  /** The host is an address that the policy does not allow, or no entry of the list can allow the name and port. */
  | 'HOST';

/**
 * What is wrong with a URL, as far as its text shows. undefined: it may be requested, unless its host name resolves to
 * addresses that the policy does not allow. `isUserAllowed`: for callers that send the user name and password of the URL.
 */
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
  // Names of this machine (RFC 6761, 6.3), which no network of the Internet can have.
  const isLocal = /(?:^|\.)localhost$/.test(destination.host);
  if (isListedName(policy, destination)) return true;
  if (policy.hosts.some(({ host, port }) => port === destination.port && isIP(host.split('/')[0] ?? '') !== 0))
    return true;
  return policy.isPublicAllowed && !isLocal && isAllowedPort(policy, destination.port);
}

/** Whether a public address on this port is allowed. Any public address does for the question. */
const isAllowedPort = (policy: OutgoingPolicy, port: number): boolean =>
  isAllowed({ ...policy, hosts: [] }, { host: '', port }, '1.1.1.1');
