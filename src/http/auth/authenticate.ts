import type { FastifyRequest } from 'fastify';
import type { TokenOperations } from '../../auth/operations.ts';
import { requireScope } from '../../auth/scopes.ts';
import type { Caller, Scope } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** null until the token or the signed link of the request is verified. */
    caller: Caller | null;
  }
}

/** Creates a hook that verifies the access token and its scopes. The hook throws, for example, INVALID_TOKEN. */
export const authenticate =
  (tokens: TokenOperations, scopes: readonly Scope[]) =>
  async (request: FastifyRequest): Promise<void> => {
    const caller = await tokens.verify(bearerToken(request.headers.authorization));
    const { trace } = request;
    // Before the check of scopes, so that the logs name the client of a refused request.
    request.caller = trace === null ? caller : { ...caller, traceParent: trace.traceParent };
    for (const scope of scopes) requireScope(caller, scope);
  };

/** The token in an `Authorization` header. Returns undefined without a header, or if its scheme is not Bearer. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length < 8 || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return header.slice(7).trim();
}

/** The caller of an authenticated request. Throws INTERNAL if no hook has authenticated it. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Problem('INTERNAL', 'The route has no authentication.');
  return request.caller;
}
