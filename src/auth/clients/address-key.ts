import { isIPv6 } from 'node:net';

/**
 * The key under which failures of a network address are counted: the address itself, or the /64 of an IPv6 address,
 * because one machine usually has all 2^64 addresses of it. `::ffff:192.0.2.1` counts as the IPv4 address in it.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  const wrapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (wrapped !== undefined) return wrapped;
  const [left = [], right = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
