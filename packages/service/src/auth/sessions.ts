import type { Scope } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { type Authenticate, type ClientLogin, checkClientUnchanged } from './authenticate.ts';
import type { CountGrant } from './counters.ts';
import { notBefore, SESSION_SECONDS } from './lifetimes.ts';
import type { ClientRecord, ClientStore, SessionStore } from './ports.ts';
import { hashToken, newSessionSecret, newSignInCode } from './secrets.ts';
import type { ClientCache, NoteUse, TokenSource } from './verify.ts';

interface Session {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A new session with its secret, of which only the hash is stored. */
export interface StartedSession extends Session {
  readonly secret: string;
}

/** Stores a new session of a client. Throws RATE_LIMITED, or INVALID_CLIENT if the client changes meanwhile. */
export type BeginSession = (client: ClientRecord, scopes?: ClientRecord['scopes']) => Promise<StartedSession>;

export const sessionStarter =
  ({ clients, sessions, countGrant, noteUse, now }: SessionDeps): BeginSession =>
  async (client, scopes = client.scopes) => {
    countGrant(client);
    const secret = newSessionSecret();
    const at = now();
    const issuedAt = Math.max(at, notBefore(client, at));
    const session = {
      sessionHash: hashToken(secret),
      clientId: client.clientId,
      scopes,
      issuedAt: new Date(issuedAt).toISOString(),
      expiresAt: new Date(issuedAt + SESSION_SECONDS * 1000).toISOString(),
    };
    await sessions.add(session);
    await checkClientUnchanged(clients, client);
    noteUse(client);
    return { ...session, secret };
  };

interface SessionDeps {
  readonly clients: ClientStore;
  readonly sessions: SessionStore;
  readonly countGrant: CountGrant;
  readonly noteUse: NoteUse;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates the operations on sessions, except their verification and the sign-in with an external issuer. */
export const sessionOperations = ({
  authenticate,
  clients,
  sessions,
  codes,
  begin,
}: Pick<SessionDeps, 'clients' | 'sessions'> & {
  readonly authenticate: Authenticate;
  readonly codes: SignInCodes;
  readonly begin: BeginSession;
}) => ({
  /** Starts a session for a login. Throws INVALID_CLIENT or RATE_LIMITED, as for a token. */
  start: async (login: ClientLogin): Promise<StartedSession> => begin(await authenticate(login)),

  /** Starts a session with a code of `TokenService.makeSignInCode`. Throws INVALID_CLIENT. */
  async startByCode(code: string): Promise<StartedSession> {
    const clientId = codes.take(code);
    const client = clientId === undefined ? undefined : await clients.get(clientId);
    if (client === undefined || client.revokedAt !== undefined)
      throw new Problem(
        'INVALID_CLIENT',
        'The link was used, has expired, or is from before a restart of the service. Sign in with the id and the secret of a client.',
      );
    return begin(client);
  },

  /** Reads a session that was verified before. Throws INVALID_TOKEN if it has ended. */
  async get(secret: string): Promise<Session> {
    const session = await sessions.get(hashToken(secret));
    if (session === undefined) throw noSession();
    return session;
  },

  /** Ends a session, which other processes notice within a second. */
  end: (secret: string): Promise<void> => sessions.remove(hashToken(secret)),
});

/** How long a session is used without reading it again. Another process may have ended it. */
const REREAD_AFTER_MS = 1000;

/** The token source whose tokens are the secrets of sessions. */
export function sessionTokens(sessions: SessionStore, clients: ClientCache, now: () => number): TokenSource {
  return {
    async read(secret) {
      const session = await sessions.get(hashToken(secret));
      const at = now();
      if (session === undefined || Date.parse(session.expiresAt) <= at) throw noSession();
      return {
        subject: session.clientId,
        scopes: session.scopes,
        issuedAt: Date.parse(session.issuedAt),
        validUntil: Math.min(Date.parse(session.expiresAt), at + REREAD_AFTER_MS),
      };
    },
    clients,
    rejection: noSession,
  };
}

/** The problem for a session that is unknown, has expired or was ended. The message does not tell which. */
const noSession = (): Problem =>
  new Problem('INVALID_TOKEN', 'The session has ended. Sign in again with POST /api/session.');

/** The lifetime of a sign-in code: long enough to open the printed link. */
const SIGN_IN_CODE_SECONDS = 5 * 60;

/**
 * Creates and checks sign-in codes. A code signs a browser in once, without a secret, and only in the process that
 * created it. `now`: milliseconds since 1970.
 */
export function createSignInCodes(now: () => number) {
  const codes = new Map<string, { readonly clientId: string; readonly expiresAt: number }>();
  return {
    make(clientId: string): string {
      const code = newSignInCode();
      codes.set(hashToken(code), { clientId, expiresAt: now() + SIGN_IN_CODE_SECONDS * 1000 });
      return code;
    },
    /** Returns the client of a valid code, which then becomes invalid. */
    take(code: string): string | undefined {
      // Search by the hash, so that the duration of the search reveals nothing about other codes.
      const key = hashToken(code);
      const found = codes.get(key);
      codes.delete(key);
      return found !== undefined && now() < found.expiresAt ? found.clientId : undefined;
    },
  };
}

type SignInCodes = ReturnType<typeof createSignInCodes>;
