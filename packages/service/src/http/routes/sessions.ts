import { ADMIN_CLIENT_ID } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Declared } from '@telecine/contract/wire/operations/operations.ts';
import type { SESSION_OPERATIONS } from '@telecine/contract/wire/operations/tokens.ts';
import { type SessionView, sessionView } from '@telecine/contract/wire/token.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExternalSignIn, SignInFailed } from '../../auth/external-sign-in.ts';
import type { StartedSession } from '../../auth/sessions.ts';
import { recordAction } from '../audit/audit-request.ts';
import { checkSameOrigin } from '../auth/credential.ts';
import {
  beginSession,
  sessionCookieOf,
  sessionSecret,
  setPersonCookie,
  setSessionCookie,
  signInCookie,
} from '../auth/session-cookie.ts';
import type { HttpDeps } from '../deps.ts';
import { toProblem } from '../errors/problem-reply.ts';
import type { Handlers } from './handler.ts';

export function sessionHandlers({
  sessions,
  findAdminSecret,
  publicUrl,
}: HttpDeps): Handlers<Omit<typeof SESSION_OPERATIONS, ExternalOperations>> {
  const cookieOf = sessionCookieOf(publicUrl);

  /** Only an administrator gets a path of the machine. */
  const viewOf = async (session: Omit<SessionView, 'secretFile'>): Promise<SessionView> => {
    const isAdmin = session.clientId === ADMIN_CLIENT_ID && session.scopes.includes('admin');
    const secretFile = isAdmin ? await findAdminSecret?.() : undefined;
    return sessionView({ ...session, ...(secretFile && { secretFile }) });
  };

  const begin = async (request: FastifyRequest, reply: FastifyReply, session: StartedSession): Promise<SessionView> => {
    await beginSession(sessions, cookieOf, { request, reply }, session);
    request.auditFacts = { clientId: session.clientId, details: { expiresAt: session.expiresAt } };
    return viewOf(session);
  };
  /** Returns the secret of the session that authenticated a request. */
  const secretOf = (request: FastifyRequest): string => sessionSecret(request, cookieOf) ?? '';

  return {
    startSession: async (request, reply) => {
      const { clientId, clientSecret } = request.body;
      request.auditFacts = { namedClient: clientId };
      checkSameOrigin(request, publicUrl);
      return begin(request, reply, await sessions.start({ clientId, clientSecret, address: request.callerAddress }));
    },

    startSessionByCode: async (request, reply) => {
      checkSameOrigin(request, publicUrl);
      return begin(request, reply, await sessions.startByCode(request.body.code));
    },

    getSession: async (request) => viewOf(await sessions.get(secretOf(request))),

    endSession: async (request, reply) => {
      await sessions.end(secretOf(request));
      setSessionCookie(request, reply, cookieOf, undefined);
      return reply.code(204).send();
    },
  };
}

/** The operations for sign-ins with an external issuer. */
type ExternalOperations = 'getSignInMethods' | 'startExternalSession' | 'finishExternalSession';

/**
 * The start of the URL fragment after a failed sign-in. A code follows it, not a message: a link must not be able to
 * put words into the page.
 */
const ERROR_FRAGMENT = '#sign-in-error=';

/**
 * Handles sign-ins of browsers at an external issuer. After a failure, redirects to the sign-in page with a code,
 * because a person looks at the browser.
 */
export function externalSessionHandlers({
  sessions,
  audit,
  logger,
  publicUrl = '',
}: HttpDeps): Handlers<Pick<Declared, ExternalOperations>> {
  const { external } = sessions;
  const cookieOf = sessionCookieOf(publicUrl);

  const goTo = (reply: FastifyReply, address: string): FastifyReply =>
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(address, 303);

  const fail = (reply: FastifyReply, error: unknown): FastifyReply => {
    const { code, returnTo, cause } = failureOf(error);
    logger.warn({ reason: code, ...(cause !== undefined && { err: cause }) }, 'sign-in by the issuer failed');
    return goTo(reply, `${publicUrl}${returnTo}${ERROR_FRAGMENT}${code}`);
  };

  const begin = async (request: FastifyRequest, reply: FastifyReply, session: StartedSession): Promise<void> => {
    // If the issuer is on the same site, the browser also sends the cookie of an earlier session, which ends here.
    await beginSession(sessions, cookieOf, { request, reply }, session);
    const { clientId, expiresAt } = session;
    const details = { expiresAt, external: true };
    await recordAction(audit, request, { action: 'session.start', outcome: 'done', via: 'rest', clientId, details });
  };

  return {
    getSignInMethods: async () => (external === undefined ? {} : { external: { issuer: external.issuer } }),

    startExternalSession: async (request, reply) => {
      const { signIn, cookie } = requireExternal(external, publicUrl);
      try {
        const { to = '/', otherAccount } = request.query;
        const isOther = otherAccount === 'true';
        const { address, state, ticket } = await signIn.start(to, request.callerAddress, isOther);
        cookie.set(reply, state, ticket);
        return goTo(reply, address);
      } catch (error) {
        return fail(reply, error);
      }
    },

    finishExternalSession: async (request, reply) => {
      const { signIn, cookie } = requireExternal(external, publicUrl);
      const { searchParams } = new URL(request.url, publicUrl);
      const query = searchParams.toString();
      const state = searchParams.get('state') ?? '';
      const ticket = cookie.read(request, state);
      // Delete the cookie, because a ticket works only once.
      cookie.set(reply, state, undefined);
      try {
        const { session, returnTo } = await signIn.finish({ query, ticket, address: request.callerAddress });
        await begin(request, reply, session);
        return goTo(reply, `${publicUrl}${returnTo}`);
      } catch (error) {
        if (error instanceof SignInFailed && error.reason === 'NOT_A_CLIENT') {
          if (error.person !== undefined) setPersonCookie(request, reply, cookieOf, error.person);
          await recordAction(audit, request, {
            ...{ action: 'session.start', outcome: 'refused', via: 'rest', code: error.reason },
          });
        }
        return fail(reply, error);
      }
    },
  };
}

function requireExternal(external: ExternalSignIn | undefined, publicUrl: string) {
  if (external === undefined)
    throw new Problem(
      'NOT_FOUND',
      'This service has no sign-in by an issuer. Sign in with the id and the secret of a client, or ask the operator for "clientId" in TELECINE_OAUTH.',
    );
  return { signIn: external, cookie: signInCookie(publicUrl) };
}

/** Returns the failure to show on the sign-in page. Throws errors that are not failures of the sign-in. */
function failureOf(error: unknown): { readonly code: string; readonly returnTo: string; readonly cause?: unknown } {
  if (error instanceof SignInFailed) return { code: error.reason, returnTo: error.returnTo, cause: error.cause };
  const { code } = toProblem(error);
  if (code !== 'RATE_LIMITED' && code !== 'UNAVAILABLE') throw error;
  return { code, returnTo: '/', cause: error };
}
