import type { FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';

/**
 * A hook that warns once if requests come through a proxy that the settings do not name. All callers then share the
 * proxy's address, so one caller's failed logins block the others. Only token requests are counted by address.
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
