import type { AuditQuery } from '@telecine/client';

type Action = NonNullable<AuditQuery['action']>;
type Outcome = NonNullable<AuditQuery['outcome']>;

/** All actions of the audit log. If the service has an action that is missing here, there is a type error. */
const ACTION_NAMES = {
  'token.issue': true,
  'token.refresh': true,
  'session.start': true,
  'session.end': true,
  'client.add': true,
  'client.change': true,
  'client.rotate': true,
  'client.revoke': true,
  'key.rotate': true,
  'job.submit': true,
  'job.retry': true,
  'job.cancel': true,
  'job.delete': true,
  'job.key': true,
  'batch.cancel': true,
  'file.write': true,
  'file.move': true,
  'file.delete': true,
  'file.restore': true,
  'folder.create': true,
  'bin.delete': true,
  'bin.empty': true,
  'link.create': true,
  'share.create': true,
  'share.revoke': true,
  'webhook.add': true,
  'webhook.change': true,
  'webhook.delete': true,
  'webhook.rotate': true,
  'webhook.test': true,
  'webhook.replay': true,
  'recipe.write': true,
  'recipe.delete': true,
  'queue.pause': true,
  'queue.resume': true,
  'worker.drain': true,
  'worker.resume': true,
  'watch.create': true,
  'watch.change': true,
  'watch.delete': true,
  'watch.retry': true,
  'audit.skip': true,
} as const satisfies Record<Action, true>;

export const ACTIONS = Object.keys(ACTION_NAMES) as Action[];

export const OUTCOMES = ['done', 'refused', 'failed'] as const satisfies readonly Outcome[];

/** Time ranges that end now. Unlike days, they move with the clock. */
export const LATEST = {
  hour: { name: 'Last hour', seconds: 3600 },
  day: { name: 'Last 24 hours', seconds: 86_400 },
  week: { name: 'Last 7 days', seconds: 604_800 },
} as const;

export const LATEST_KEYS = Object.keys(LATEST) as (keyof typeof LATEST)[];

/** The filter of the audit log. It is stored in the URL. */
export interface AuditFilter {
  readonly action?: Action;
  readonly outcome?: Outcome;
  readonly client?: string;
  readonly target?: string;
  /** Records of a time range that ends now. If it is set, `from` and `to` are absent. */
  readonly latest?: keyof typeof LATEST;
  /** The first day, such as `2026-01-31`, in the time zone of the browser. */
  readonly from?: string;
  /** The last day. */
  readonly to?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads a filter from the query of a URL. Ignores invalid values. */
export function readAuditFilter(query: Readonly<Record<string, unknown>>): AuditFilter {
  const action = ACTIONS.find((one) => one === query['action']);
  const outcome = OUTCOMES.find((one) => one === query['outcome']);
  const latest = LATEST_KEYS.find((one) => one === query['latest']);
  // Convert each value to a text, because the router parses a text of digits as a number.
  const text = (name: string): string => (query[name] === undefined ? '' : String(query[name]).trim());
  const day = (name: string): string => (latest === undefined && DAY.test(text(name)) ? text(name) : '');
  const texts = { client: text('client'), target: text('target'), from: day('from'), to: day('to') };
  return {
    ...(action !== undefined && { action }),
    ...(outcome !== undefined && { outcome }),
    ...(latest !== undefined && { latest }),
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
  };
}

/** Converts a filter to a query of the API. */
export function auditQueryOf({ from, to, latest, ...same }: AuditFilter, now = new Date()): AuditQuery {
  return {
    ...same,
    ...(latest !== undefined && { from: new Date(now.getTime() - LATEST[latest].seconds * 1000).toISOString() }),
    ...(from !== undefined && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to !== undefined && { to: nextDay(to).toISOString() }),
  };
}

function nextDay(day: string): Date {
  const next = new Date(`${day}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return next;
}
