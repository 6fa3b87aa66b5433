import type { FastifyRequest } from 'fastify';
import { Problem } from '../domain/problem.ts';
import { type KnownRoutes, methodsOf, nearRoute } from './route-index.ts';

/** What to answer where no route took the request: 405 with the methods that `allowed` lists, or 404. */
export interface NoRoute {
  readonly problem: Problem;
  readonly allowed: readonly string[];
}

export function noRoute(known: KnownRoutes, request: Pick<FastifyRequest, 'method' | 'url'>): NoRoute {
  const [path = ''] = request.url.split('?');
  const allowed = methodsOf(known, path);
  if (allowed.length > 0)
    return {
      allowed,
      problem: new Problem(
        'METHOD_NOT_ALLOWED',
        `${request.method} is not offered at this path; it takes ${allowed.join(', ')}.`,
      ),
    };
  const near = nearRoute(known, path);
  return {
    allowed,
    problem: new Problem(
      'NOT_FOUND',
      near === undefined
        ? 'There is nothing at this path. GET /openapi.json lists what there is.'
        : `There is nothing at this path; did you mean ${near}? GET /openapi.json lists what there is.`,
    ),
  };
}
