import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StartedSession } from '../../auth/sessions.ts';
import type { SESSION_OPERATIONS } from '../../wire/operations/sessions.ts';
import { type SessionView, sessionView } from '../../wire/session.ts';
import { beginSession } from '../auth/begin-session.ts';
import { checkSameOrigin } from '../auth/same-origin.ts';
import { sessionCookieOf, sessionSecret, setSessionCookie } from '../auth/session-cookie.ts';
import type { HttpDeps } from '../deps.ts';
import type { ExternalOperations } from './external-sessions.ts';
import type { Handlers } from './handler.ts';

export function sessionHandlers({
  sessions,
  publicUrl,
}: HttpDeps): Handlers<Omit<typeof SESSION_OPERATIONS, ExternalOperations>> {
  const cookieOf = sessionCookieOf(publicUrl);

  const begin = async (request: FastifyRequest, reply: FastifyReply, session: StartedSession): Promise<SessionView> => {
    await beginSession(sessions, cookieOf, { request, reply }, session);
    request.auditFacts = { clientId: session.clientId, details: { expiresAt: session.expiresAt } };
    return sessionView(session);
  };
  /** Of a request that was authenticated by its session. */
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

    getSession: async (request) => sessionView(await sessions.get(secretOf(request))),

    endSession: async (request, reply) => {
      await sessions.end(secretOf(request));
      setSessionCookie(request, reply, cookieOf, undefined);
      return reply.code(204).send();
    },
  };
}
