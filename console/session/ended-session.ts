import type { Session } from '@telecine/client';

/** A session that the service has ended, not its owner. */
export type EndedSession = Pick<Session, 'clientId' | 'expiresAt'>;

let ended: EndedSession | undefined;

export function noteEndedSession(session: EndedSession): void {
  ended = session;
}

/** The session whose end led to the page to sign in, once. */
export function takeEndedSession(): EndedSession | undefined {
  const taken = ended;
  ended = undefined;
  return taken;
}

/** Why a session is over. The service does not say which of the other reasons it was. */
export const endedText = ({ clientId, expiresAt }: EndedSession, now = Date.now()): string =>
  now >= Date.parse(expiresAt)
    ? `The session of "${clientId}" has expired. Sign in again to go on.`
    : `You were signed out: the client "${clientId}" was revoked, got a new secret, or signed out in another window. Sign in to go on.`;
