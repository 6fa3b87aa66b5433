import { type Authenticate, checkClientUnchanged } from '../clients/authenticate.ts';
import type { CountGrant } from '../clients/grant-limit.ts';
import { hashToken, newSessionSecret } from '../clients/secrets.ts';
import type { SessionOperations } from '../operations.ts';
import type { ClientRecord, ClientStore, SessionStore } from '../ports.ts';
import { SESSION_SECONDS } from '../token-ttl.ts';
import { notBefore } from '../tokens/issue-token.ts';
import { createExternalSignIn } from './external-sign-in.ts';
import { noSession } from './no-session.ts';
import type { SignInCodes } from './sign-in-codes.ts';

/** Creates the operations on sessions, except their verification. */
export function createSessions(deps: {
  readonly authenticate: Authenticate;
  readonly clients: ClientStore;
  readonly sessions: SessionStore;
  readonly codes: SignInCodes;
  readonly countGrant: CountGrant;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Sign-in by an external issuer, if there is one. */
  readonly external?: Omit<Parameters<typeof createExternalSignIn>[0], 'begin' | 'clients' | 'now'>;
}): Omit<SessionOperations, 'verify'> {
  const { authenticate, clients, sessions, codes, countGrant, now } = deps;

  async function begin(client: ClientRecord, scopes = client.scopes) {
    countGrant(client);
    const secret = newSessionSecret();
    const issuedAt = Math.max(now(), notBefore(client));
    const session = {
      sessionHash: hashToken(secret),
      clientId: client.clientId,
      scopes,
      issuedAt: new Date(issuedAt).toISOString(),
      expiresAt: new Date(issuedAt + SESSION_SECONDS * 1000).toISOString(),
    };
    await sessions.add(session);
    await checkClientUnchanged(clients, client);
    return { ...session, secret };
  }

  return {
    start: async (login) => begin(await authenticate(login)),

    async startByCode(code) {
      const clientId = codes.take(code);
      const client = clientId === undefined ? undefined : await clients.get(clientId);
      if (client === undefined || client.revokedAt !== undefined) throw codes.rejection();
      return begin(client);
    },

    async get(secret) {
      const session = await sessions.get(hashToken(secret));
      if (session === undefined) throw noSession();
      return session;
    },

    end: (secret) => sessions.remove(hashToken(secret)),

    ...(deps.external && { external: createExternalSignIn({ ...deps.external, clients, begin, now }) }),
  };
}
