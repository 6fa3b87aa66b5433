import { BlockList, isIPv6 } from 'node:net';

/** Whether an address is one of `proxies`: addresses and networks such as `10.0.0.0/8`. */
export function trustedProxies(proxies: readonly string[]): (address: string) => boolean {
  if (proxies.length === 0) return () => false;
  const list = new BlockList();
  for (const proxy of proxies) {
    const [network = '', prefix] = proxy.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
