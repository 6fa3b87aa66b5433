import type { Session } from '@telecine/client';

/** Whether a session has a scope. `admin` includes all other scopes. Without a session, nothing is allowed. */
export const mayDo = (session: Pick<Session, 'scopes'> | null | undefined, scope: string): boolean =>
  session?.scopes.includes(scope) === true || session?.scopes.includes('admin') === true;
