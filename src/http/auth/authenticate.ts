import type { FastifyRequest } from 'fastify';
import type { LinkOperations } from '../../auth/links.ts';
import { requireScope } from '../../auth/scopes.ts';
import type { Caller, Scope } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import { readLink } from '../../domain/signed-link.ts';
import { parseJobId } from '../../wire/job-id.ts';
import { outputsSubject, uploadSubject } from '../../wire/links.ts';
import type { ReadCredential } from './credential.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** null until the token or the signed link of the request is verified. */
    caller: Caller | null;
  }
}

/**
 * Creates a hook that verifies the credential of a request and its scopes. It returns a promise only if that takes a look into the
 * store. It throws or rejects with, for example, INVALID_TOKEN. A refusal waits for a turn of its address: requests without a token
 * have no other limit.
 */
export const authenticate = (read: ReadCredential, scopes: readonly Scope[]) => {
  const accept = (request: FastifyRequest, caller: Caller): undefined => {
    const { trace } = request;
    // Before the check of scopes, so that the logs name the client of a refused request.
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

/** The caller of an authenticated request. Throws INTERNAL if no hook has authenticated it. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Problem('INTERNAL', 'The route has no authentication.');
  return request.caller;
}

type Params = Readonly<Record<'jobId' | 'terms' | 'link' | '*', string>>;

/** By what a link opens: the subject in the path of a request, and the scope that the client of the link must still have. */
const LINKS = {
  output: { scope: 'files:read', subjectOf: ({ jobId }: Params) => outputsSubject(parseJobId(jobId)) },
  upload: { scope: 'files:write', subjectOf: ({ terms, '*': path }: Params) => uploadSubject(terms, path) },
} as const;

/**
 * Creates a hook that verifies the signed link in the path of a request. Only the link counts, even if the request also
 * has a token.
 */
export const authenticateLink = (links: LinkOperations, to: keyof typeof LINKS) => {
  const { scope, subjectOf } = LINKS[to];
  return async (request: FastifyRequest): Promise<void> => {
    const params = request.params as Params;
    const caller = await links.verify(subjectOf(params), readLink(params.link), scope);
    request.caller = caller;
    request.server.requestHolds.authenticated(request, caller.clientId);
  };
};
