import type { FastifyRequest } from 'fastify';
import { requireScope } from '../../auth/scopes.ts';
import type { Caller, Scope } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import type { ReadCredential } from './credential.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** null until the token or the signed link of the request is verified. */
    caller: Caller | null;
  }
}

/** Creates a hook that verifies the credential of a request and its scopes. The hook throws, for example, INVALID_TOKEN. */
export const authenticate =
  (read: ReadCredential, scopes: readonly Scope[]) =>
  async (request: FastifyRequest): Promise<void> => {
    const caller = await verify(read, request);
    const { trace } = request;
    // Before the check of scopes, so that the logs name the client of a refused request.
    request.caller = trace === null ? caller : { ...caller, traceParent: trace.traceParent };
    request.server.requestHolds.authenticated(request, caller.clientId);
    for (const scope of scopes) requireScope(caller, scope);
  };

/** Verifies the credential of a request. A refusal waits for a turn of its address: requests without a token have no other limit. */
async function verify(read: ReadCredential, request: FastifyRequest): Promise<Caller> {
  try {
    return await read(request).verify();
  } catch (error) {
    await request.server.addressTurns(request);
    throw error;
  }
}

/** The caller of an authenticated request. Throws INTERNAL if no hook has authenticated it. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Problem('INTERNAL', 'The route has no authentication.');
  return request.caller;
}
