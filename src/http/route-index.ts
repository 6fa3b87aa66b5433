import type { FastifyInstance } from 'fastify';
import { closestMatch } from '../domain/closest-match.ts';

/** What can be asked for: the methods of each path pattern (`/api/conversion/:jobId`). */
export type KnownRoutes = ReadonlyMap<string, ReadonlySet<string>>;

/** Collects every route that is added to `app` from now on. */
export function collectRoutes(app: FastifyInstance): KnownRoutes {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    known.set(url, methods);
  });
  return known;
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.at(-1) === '*') return path.startsWith(pattern.slice(0, -1));
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith(':') || part === given[i]);
}

/** The methods that `path` takes; empty where there is no such path. */
export const methodsOf = (known: KnownRoutes, path: string): readonly string[] =>
  [...known].filter(([pattern]) => matches(pattern, path)).flatMap(([, methods]) => [...methods]);

/** The path nearest in spelling, as documentation writes it: `/api/conversion/{jobId}`. */
export const nearRoute = (known: KnownRoutes, path: string): string | undefined =>
  closestMatch(path, known.keys())
    ?.replace(/:(\w+)/g, '{$1}')
    .replace(/\*$/, '{path}');
