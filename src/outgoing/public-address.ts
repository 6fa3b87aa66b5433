import ipaddr from 'ipaddr.js';

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
export const asSent = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
