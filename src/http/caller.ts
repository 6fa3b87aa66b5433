import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { TokenOperations } from '../auth/operations.ts';
import { requireScope } from '../auth/scopes.ts';
import type { Caller, Scope } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { step } from './sync-or-async.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; set once the token was verified. */
    caller: Caller | null;
  }
}

/** The token of an `Authorization` header; undefined where there is none of that scheme. */
function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined || header.length < 8 || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return header.slice(7).trim();
}

/** Lets in whoever has a token with all `scopes`: 401 or 403 before anything else is looked at. */
export function authenticate(tokens: TokenOperations, ...scopes: readonly Scope[]): onRequestHookHandler {
  return (request, _reply, done) => {
    const enter = (caller: Caller): void => {
      for (const scope of scopes) requireScope(caller, scope);
      request.caller = caller;
    };
    step(done, () => tokens.verify(bearerOf(request.headers.authorization)), enter);
  };
}

/** The caller of a route that `authenticate` guards. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Problem('INTERNAL', 'The route does not ask for a token.');
  return request.caller;
}
