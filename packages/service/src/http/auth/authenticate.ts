import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { readLink } from '@telecine/contract/domain/signed-link.ts';
import { parseJobId } from '@telecine/contract/wire/job-id.ts';
import { outputsSubject } from '@telecine/contract/wire/links.ts';
import type { FastifyRequest } from 'fastify';
import type { LinkOperations } from '../../auth/links.ts';
import { requireScope } from '../../auth/scopes.ts';
import type { ReadCredential } from './credential.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** null until a token or a signed link is verified. */
    caller: Caller | null;
  }
}

/**
 * Creates a hook that verifies the credential of a request and its scopes. Throws or rejects with a `Problem`, such as
 * INVALID_TOKEN. Returns a promise only if it has to wait. A rejection waits for a turn of the caller's address (see
 * `addressTurns`), because requests without a valid token have no other limit.
 */
export const authenticate = (read: ReadCredential, scopes: readonly Scope[]) => {
  const accept = (request: FastifyRequest, caller: Caller): undefined => {
    const { trace } = request;
    // Set the caller before its scopes are checked, so that the log line of a rejected request names the client.
    request.caller = trace === null ? caller : { ...caller, traceParent: trace.traceParent };
    request.server.requestHolds.authenticated(request, caller.clientId);
    for (const scope of scopes) requireScope(caller, scope);
  };
  return (request: FastifyRequest): Promise<void> | undefined => {
    const refuse = async (error: unknown): Promise<never> => {
      await request.server.addressTurns(request);
      throw error;
    };
    let verified: Caller | Promise<Caller>;
    try {
      verified = read(request).verify();
    } catch (error) {
      return refuse(error);
    }
    return 'then' in verified
      ? verified.catch(refuse).then((caller) => accept(request, caller))
      : accept(request, verified);
  };
};

/** Returns the caller of an authenticated request. Throws INTERNAL if no hook has authenticated the request. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new Problem('INTERNAL', 'The handler needs a caller, but the route authenticates no requests.');
  return request.caller;
}

/** Creates a hook that verifies the signed link to the outputs of a job in the path of a request. The hook ignores tokens. */
export const authenticateLink =
  (links: LinkOperations) =>
  async (request: FastifyRequest): Promise<void> => {
    const { jobId, link } = request.params as Readonly<Record<'jobId' | 'link', string>>;
    const caller = await links.verify(outputsSubject(parseJobId(jobId)), readLink(link), 'files:read');
    request.caller = caller;
    request.server.requestHolds.authenticatedByLink(request, caller.clientId);
  };
