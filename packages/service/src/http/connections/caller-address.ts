import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the caller, read at the start, because it is unknown after the client disconnects. */
    callerAddress: string;
  }
}

/** `192.0.2.1:443` and `[2001:db8::1]:443`, as some proxies write in X-Forwarded-For. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * The address of the caller: from the connection, or from a trusted proxy. Removes ports and replaces texts that are not an address
 * by the proxy's address, because a new text for each request would evade the limits by address. '' after a disconnect.
 */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const named = (ip as string | undefined) ?? '';
  if (isIP(named) !== 0) return named;
  const [, v6, v4] = WITH_PORT.exec(named) ?? [];
  const plain = v6 ?? v4 ?? '';
  return isIP(plain) === 0 ? (socket.remoteAddress ?? '') : plain;
}

/** Whether an address is in `proxies`: addresses and networks such as `10.0.0.0/8`. */
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
 * Creates a hook for token requests that warns once about a proxy that is missing in TELECINE_TRUST_PROXY. All clients then share the
 * proxy's address, so failed logins of one client block the others.
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
