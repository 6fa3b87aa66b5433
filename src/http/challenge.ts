import type { FastifyRequest } from 'fastify';
import type { Problem } from '../domain/problem.ts';
import { metadataUrl, type ProtectedResource, scopesThere } from './protected-resource.ts';

const bearer = (...parameters: readonly string[]): string => ['Bearer realm="telecine"', ...parameters].join(', ');

/**
 * The `WWW-Authenticate` field that goes with a problem (RFC 6750, 3): no error code where no token was sent at all.
 * `resource`: where tokens of an external issuer are taken, its clients are told where they learn of it (RFC 9728, 5.1)
 * and which scopes would do.
 */
export function challenge(
  problem: Problem,
  { headers, routeOptions }: Pick<FastifyRequest, 'headers' | 'routeOptions'>,
  resource: ProtectedResource | undefined,
): string | undefined {
  const discovery = resource === undefined ? [] : [`resource_metadata="${metadataUrl(resource, routeOptions.url)}"`];
  switch (problem.code) {
    case 'INVALID_TOKEN': {
      const error = headers.authorization === undefined ? [] : ['error="invalid_token"'];
      return bearer(...error, ...discovery);
    }
    case 'INVALID_CLIENT':
      return bearer();
    case 'INSUFFICIENT_SCOPE': {
      const { scopes } = problem;
      const needed =
        resource === undefined || scopes.length === 0 ? [] : [`scope="${scopesThere(resource, scopes).join(' ')}"`];
      return bearer('error="insufficient_scope"', ...needed, ...discovery);
    }
    default:
      return undefined;
  }
}
