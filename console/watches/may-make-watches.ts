import type { Session } from '@telecine/client';
import { mayDo } from '../session/may-do.ts';

/** Whether a session may make watches, and change and retry them. */
export const mayMakeWatches = (session: Pick<Session, 'scopes'> | null | undefined): boolean =>
  mayDo(session, 'jobs:write') && mayDo(session, 'files:read');
