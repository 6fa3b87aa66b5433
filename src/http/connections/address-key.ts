/** The groups of an IPv6 address that name a network: providers give each customer a /64 at least. */
const NETWORK_GROUPS = 4;

/** The text by which connections of an address are counted: the address, or the /64 of an IPv6 address. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%');
  const [before = [], after = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  // An IPv4 address at the end stands for two groups.
  const written = before.length + after.length + (plain.includes('.') ? 1 : 0);
  const groups = [...before, ...Array<string>(Math.max(0, 8 - written)).fill('0'), ...after];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
