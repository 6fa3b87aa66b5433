import { isIPv6 } from 'node:net';

/**
 * The key under which requests of an address are counted: the address itself, or the /64 of an IPv6 address, because one machine
 * usually has a whole /64. `::ffff:192.0.2.1` counts as the IPv4 address.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [left = [], right = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  // An IPv4 address at the end stands for two groups.
  const written = left.length + right.length + (plain.includes('.') ? 1 : 0);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - written)).fill('0'), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
