import type { AuditQuery } from '@telecine/client';

type Action = NonNullable<AuditQuery['action']>;
type Outcome = NonNullable<AuditQuery['outcome']>;

/** All actions of the audit log in words. If the service has an action that is missing here, there is a type error. */
export const ACTION_NAMES = {
  'token.issue': 'Token issued',
  'token.refresh': 'Token refreshed',
  'session.start': 'Signed in',
  'session.end': 'Signed out',
  'client.add': 'Client added',
  'client.change': 'Client changed',
  'client.rotate': 'Client secret renewed',
  'client.revoke': 'Client revoked',
  'key.rotate': 'Signing key changed',
  'job.submit': 'Job submitted',
  'job.retry': 'Job run again',
  'job.cancel': 'Job cancelled',
  'job.delete': 'Job deleted',
  'job.key': 'Key of a job read',
  'batch.cancel': 'Batch cancelled',
  'file.write': 'File written',
  'file.move': 'File moved',
  'file.delete': 'File deleted',
  'file.restore': 'File restored',
  'folder.create': 'Folder created',
  'bin.delete': 'Deleted from the bin',
  'bin.empty': 'Bin emptied',
  'link.create': 'Link created',
  'share.create': 'Shared link created',
  'share.revoke': 'Shared link revoked',
  'webhook.add': 'Webhook added',
  'webhook.change': 'Webhook changed',
  'webhook.delete': 'Webhook deleted',
  'webhook.rotate': 'Webhook secret renewed',
  'webhook.test': 'Webhook tested',
  'webhook.replay': 'Delivery sent again',
  'recipe.write': 'Recipe saved',
  'recipe.delete': 'Recipe deleted',
  'queue.pause': 'Queue paused',
  'queue.resume': 'Queue resumed',
  'worker.drain': 'Worker drained',
  'worker.resume': 'Worker resumed',
  'watch.create': 'Watch created',
  'watch.change': 'Watch changed',
  'watch.delete': 'Watch deleted',
  'watch.retry': 'Watch files retried',
  'watch.scan': 'Watch scanned',
  'audit.skip': 'Records skipped',
} as const satisfies Record<Action, string>;

export const ACTIONS = Object.keys(ACTION_NAMES) as Action[];

export const OUTCOMES = ['done', 'refused', 'failed'] as const satisfies readonly Outcome[];

export const OUTCOME_NAMES = { done: 'Done', refused: 'Refused', failed: 'Failed' } as const satisfies Record<
  Outcome,
  string
>;

/** Time ranges that end now. Unlike days, they move with the clock. */
export const LATEST = {
  hour: { name: 'Last hour', seconds: 3600 },
  day: { name: 'Last 24 hours', seconds: 86_400 },
  week: { name: 'Last 7 days', seconds: 604_800 },
} as const;

const LATEST_KEYS = Object.keys(LATEST) as (keyof typeof LATEST)[];

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

/** A day as fields and URLs have it. The field has the same pattern. */
export const DAY_PATTERN = '\\d{4}-\\d{2}-\\d{2}';

const DAY = new RegExp(`^${DAY_PATTERN}$`);

/** The day of a time in the time zone of the browser: `2026-01-31`. */
export const dayOf = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

const isDay = (text: string): boolean => DAY.test(text) && dayOf(new Date(`${text}T00:00:00`)) === text;

/** Reads a filter from the query of a URL. Ignores invalid values. */
export function readAuditFilter(query: Readonly<Record<string, unknown>>): AuditFilter {
  const action = ACTIONS.find((one) => one === query['action']);
  const outcome = OUTCOMES.find((one) => one === query['outcome']);
  const latest = LATEST_KEYS.find((one) => one === query['latest']);
  // Convert each value to a text, because the router parses a text of digits as a number.
  const text = (name: string): string => (query[name] === undefined ? '' : String(query[name]).trim());
  const day = (name: string): string => (latest === undefined && isDay(text(name)) ? text(name) : '');
  const texts = { client: text('client'), target: text('target'), from: day('from'), to: day('to') };
  return {
    ...(action !== undefined && { action }),
    ...(outcome !== undefined && { outcome }),
    ...(latest !== undefined && { latest }),
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
  };
}

/** The times to choose from: all, one that ends now, today, or days that the user enters. */
export type TimeChoice = '' | keyof typeof LATEST | 'today' | 'days';

export function timeChoiceOf({ latest, from, to }: AuditFilter, now = new Date()): TimeChoice {
  if (latest !== undefined) return latest;
  if (from === undefined && to === undefined) return '';
  return from === dayOf(now) && to === undefined ? 'today' : 'days';
}

/** The fields of a form as a filter reads them: `today` is its first day. */
export const withDays = (fields: Readonly<Record<string, unknown>>, now = new Date()) =>
  fields['latest'] === 'today' ? { ...fields, latest: undefined, from: dayOf(now) } : fields;

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
