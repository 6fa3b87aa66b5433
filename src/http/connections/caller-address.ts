import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

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

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the caller. It is read when the request begins, because it is unknown once the client disconnects. */
    callerAddress: string;
  }
}

/** `192.0.2.1:443` and `[2001:db8::1]:443`, as some proxies write in X-Forwarded-For. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * The address of the caller: that of the connection, or the one that a trusted proxy names. What is not an address counts as
 * the proxy itself, and ports are removed: with a text of its own for each request, a caller would escape the limits per
 * address. Empty if the client has disconnected already.
 */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const named = (ip as string | undefined) ?? '';
  if (isIP(named) !== 0) return named;
  const [, v6, v4] = WITH_PORT.exec(named) ?? [];
  const plain = v6 ?? v4 ?? '';
  return isIP(plain) === 0 ? (socket.remoteAddress ?? '') : plain;
}

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

/**
 * Creates a hook that warns once if requests come through a proxy that TELECINE_TRUST_PROXY does not include. All
 * clients then share the proxy's address, so failed logins of one client block the others. Only token requests need the
 * hook, because only they are limited by address.
 */
export function warnOfUntrustedProxy({
  trustProxy,
  logger,
}: {
  readonly trustProxy?: readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
}) {
  let isDone = trustProxy !== undefined;
  return async (request: FastifyRequest): Promise<void> => {
    if (isDone || request.headers['x-forwarded-for'] === undefined) return;
    isDone = true;
    logger.warn(
      { address: request.ip },
      'X-Forwarded-For is ignored; if your proxy sends it, set TELECINE_TRUST_PROXY to the address of the proxy',
    );
  };
}
