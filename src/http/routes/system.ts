import { Problem } from '../../domain/problem.ts';
import type { Declared } from '../../wire/operations/operations.ts';
import type { ISSUER_OPERATIONS } from '../../wire/operations/tokens.ts';
import { resourceMetadata } from '../../wire/protected-resource.ts';
import { readyView } from '../../wire/system.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

/** Handles the health checks of load balancers and orchestrators, which have no token. */
export const systemHandlers = ({
  health,
}: Pick<HttpDeps, 'health'>): Handlers<Pick<Declared, 'getHealth' | 'getReadiness'>> => ({
  getHealth: async () => ({ status: 'ok', version: health.version, uptimeSeconds: health.uptimeSeconds() }),

  getReadiness: async (_request, reply) => {
    const checks = await health.ready().catch((cause: unknown) => {
      throw new Problem('UNAVAILABLE', 'The readiness checks failed to run. The log of the service has the reason.', {
        cause,
      });
    });
    const view = readyView(checks);
    reply.code(view.status === 'ready' ? 200 : 503);
    return view;
  },
});

/**
 * Handles the metadata for an external issuer. Without an issuer these routes do not exist: if they reply, some clients
 * ignore the token in their configuration.
 */
export const issuerHandlers = ({ oauth }: HttpDeps): Handlers<typeof ISSUER_OPERATIONS> => {
  const metadata = async (path: '' | '/mcp') => {
    if (oauth === undefined) throw new Problem('NOT_FOUND', 'The service accepts no tokens of an external issuer.');
    return resourceMetadata(oauth, path);
  };
  return { getProtectedResource: () => metadata(''), getMcpProtectedResource: () => metadata('/mcp') };
};
