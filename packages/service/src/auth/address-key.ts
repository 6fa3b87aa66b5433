import { isIPv6 } from 'node:net';

/**
 * Returns the key under which requests from an address are counted. For IPv6, it is the /64 network, because one
 * machine usually has a whole /64. For IPv4, it is the address, also if it is written as `::ffff:192.0.2.1`.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [left = [], right = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  // An IPv4 address at the end takes the place of two groups.
  const written = left.length + right.length + (plain.includes('.') ? 1 : 0);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - written)).fill('0'), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
