import type { onRequestHookHandler } from 'fastify';
import type { HttpDeps } from './deps.ts';

/**
 * Says once in the log that callers seem to come through a proxy which nobody told the service of: all of them then
 * have the proxy's address, and one who keeps failing bars the others. For the token routes, the only ones that count
 * by address.
 */
export function hintAtProxy({ trustProxy, logger }: Pick<HttpDeps, 'trustProxy' | 'logger'>): onRequestHookHandler {
  let told = trustProxy !== undefined;
  return (request, _reply, done) => {
    if (!told && request.headers['x-forwarded-for'] !== undefined) {
      told = true;
      logger.warn(
        { address: request.ip },
        'X-Forwarded-For arrives and is not believed; if your proxy sends it, set TELECINE_TRUST_PROXY to its address',
      );
    }
    done();
  };
}
