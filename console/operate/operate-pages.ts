import type { Session } from '@telecine/client';
import { mayDo } from '../session/may-do.ts';

/** The pages for operators, with the scope that each needs. Three of them are about the client itself: webhooks, usage and shared links. */
export const OPERATE_PAGES = [
  { to: '/operate/queue', name: 'Queue', scope: 'admin' },
  { to: '/operate/workers', name: 'Workers', scope: 'admin' },
  { to: '/operate/clients', name: 'Clients', scope: 'admin' },
  { to: '/operate/webhooks', name: 'Webhooks', scope: 'jobs:read' },
  { to: '/operate/usage', name: 'Usage', scope: 'jobs:read' },
  { to: '/operate/shares', name: 'Shared links', scope: 'files:read' },
  { to: '/operate/audit', name: 'Audit log', scope: 'admin' },
  { to: '/operate/health', name: 'Health', scope: 'admin' },
] as const;

/** The pages that a session may see. */
export const operatePagesOf = (session: Pick<Session, 'scopes'>) =>
  OPERATE_PAGES.filter(({ scope }) => mayDo(session, scope));
