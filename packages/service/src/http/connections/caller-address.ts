import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The address of the caller. It is read when the request begins, because it is unknown after the client
     * disconnects.
     */
    callerAddress: string;
  }
}

/**
 * An address with a port, such as `192.0.2.1:443` or `[2001:db8::1]:443`. Some proxies write this in X-Forwarded-For.
 */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Returns the address of the caller, from the connection or from a trusted proxy, without a port. If the proxy sends a
 * text that is not an address, returns the address of the proxy: otherwise, a caller could evade limits with another
 * text in each request. Returns '' after a disconnect.
 */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const named = (ip as string | undefined) ?? '';
  if (isIP(named) !== 0) return named;
  const [, v6, v4] = WITH_PORT.exec(named) ?? [];
  const plain = v6 ?? v4 ?? '';
  return isIP(plain) === 0 ? (socket.remoteAddress ?? '') : plain;
}

/**
 * Returns a function that tells whether an address is in `proxies`: a list of addresses, and of networks such as
 * `10.0.0.0/8`.
 */
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
 * Creates a hook for token requests. It warns once about a proxy that is not in TELECINE_TRUST_PROXY: then all clients
 * seem to have the address of the proxy, so that failed logins of one client block the others.
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
