import type { FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';

/**
 * Creates a hook that warns once if requests come through a proxy that TELECINE_TRUST_PROXY does not include. All
 * clients then share the proxy's address, so failed logins of one client block the others. Only token requests need the
 * hook, because only they are limited by address.
 */
export function warnOfUntrustedProxy({ trustProxy, logger }: Pick<HttpDeps, 'trustProxy' | 'logger'>) {
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
