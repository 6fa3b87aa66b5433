import type { Session } from '@telecine/client';

/** A session that the service has ended, and not the user by signing out. */
type EndedSession = Pick<Session, 'clientId' | 'expiresAt'>;

let ended: EndedSession | undefined;

export function noteEndedSession(session: EndedSession): void {
  ended = session;
}

/** Returns the session that the service has ended. undefined: there is none, or a sign-in page has mentioned it. */
export const endedSession = (): EndedSession | undefined => ended;

/** Call this when a sign-in page has mentioned the session, so that no other page does. */
export function forgetEndedSession(): void {
  ended = undefined;
}

/** The reason why a session has ended. The service does not report the reason, so the text names all reasons except expiry. */
export const endedText = ({ clientId, expiresAt }: EndedSession, now = Date.now()): string =>
  now >= Date.parse(expiresAt)
    ? `The session of "${clientId}" has expired. Sign in again to continue.`
    : `You were signed out: the client "${clientId}" was revoked, got a new secret, or signed out in another window. Sign in again to continue.`;
