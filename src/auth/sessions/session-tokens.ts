import type { ClientCache } from '../clients/client-cache.ts';
import { hashToken } from '../clients/secrets.ts';
import type { SessionStore } from '../ports.ts';
import type { TokenSource } from '../token-source.ts';
import { noSession } from './no-session.ts';

/** A session is read again after this time, in case another process has ended it. */
const REREAD_AFTER_MS = 1000;

/** The secrets of sessions as tokens, so that a request with one is verified as a request with an access token. */
export function sessionTokens(deps: {
  readonly sessions: SessionStore;
  /** The clients by id. */
  readonly clients: ClientCache;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): TokenSource {
  const { sessions, clients, now } = deps;
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
