import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { ENDPOINTS } from '@telecine/contract/wire/endpoints.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The allowed methods of each route pattern, such as `/api/conversion/:jobId`. */
type RouteIndex = ReadonlyMap<string, ReadonlySet<string>>;

/** Starts an index of the routes that are added to `app` after this call. */
export function indexRoutes(app: FastifyInstance): RouteIndex {
  const index = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = index.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    index.set(url, methods);
  });
  return index;
}

/**
 * Returns the problem for a request that matches no route. 405: the path exists with other methods, which are in
 * `allowed`. 404: the path does not exist.
 */
export function unmatchedRoute(
  index: RouteIndex,
  request: Pick<FastifyRequest, 'method' | 'url'>,
): { readonly problem: Problem; readonly allowed: readonly string[] } {
  const [path = ''] = request.url.split('?');
  const allowed = [...index].filter(([pattern]) => matches(pattern, path)).flatMap(([, methods]) => [...methods]);
  if (allowed.length > 0) {
    const detail = `${request.method} is not allowed at this path. Use ${allowed.join(' or ')}.${uploadHint(request.method, path)}`;
    return { allowed, problem: new Problem('METHOD_NOT_ALLOWED', detail) };
  }
  return { allowed, problem: unknownPath(closestMatch(path, index.keys())) };
}

/** The problem for an unknown path. `similar`: the pattern of a similar route. */
export function unknownPath(similar?: string): Problem {
  const question = similar === undefined ? '' : ` Did you mean ${templateOf(similar)}?`;
  return new Problem(
    'NOT_FOUND',
    `Unknown path.${question} GET ${ENDPOINTS.getOpenApi.path} lists all paths; ${ENDPOINTS.getDocs.path} shows them in a browser.`,
  );
}

/**
 * Returns advice on how to upload a file, for clients that send a form, or that send a file to the path of the file
 * list.
 */
const uploadHint = (method: string, path: string): string =>
  ['POST', 'PUT', 'PATCH'].includes(method) && `${path}/`.startsWith(`${ENDPOINTS.listFiles.path}/`)
    ? ` To upload a file, send its bytes, not a form: PUT ${ENDPOINTS.listFiles.path}/NAME.`
    : '';

/** Returns whether a browser opens the root page of the service. Programs do not ask for HTML. */
export const isBrowserAtRoot = ({
  method,
  url,
  headers,
}: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean =>
  method === 'GET' && url === '/' && headers.accept?.includes('text/html') === true;

/** Paths of programs: their errors are JSON, also in a browser. */
const OF_PROGRAMS = /^\/(?:api|assets|docs|health|manual|mcp|metrics|oauth|openapi\.json|ready|\.well-known)(?:[/?]|$)/;

/** Returns whether a browser opens an address that could be a page of the console. */
export const asksForPage = ({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true && !OF_PROGRAMS.test(url);

function matches(pattern: string, path: string): boolean {
  const patternParts = pattern.split('/');
  const pathParts = path.split('/');
  const isWildcard = patternParts.at(-1) === '*';
  return (
    (isWildcard ? patternParts.length <= pathParts.length : patternParts.length === pathParts.length) &&
    patternParts.every((part, i) => part === '*' || part.startsWith(':') || part === pathParts[i])
  );
}

/** Converts a route pattern to a path as in OpenAPI: `/api/conversion/{jobId}`. */
const templateOf = (pattern: string): string => pattern.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
