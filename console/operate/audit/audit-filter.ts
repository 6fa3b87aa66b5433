import type { AuditQuery } from '@telecine/client';

type Action = NonNullable<AuditQuery['action']>;
type Outcome = NonNullable<AuditQuery['outcome']>;

/** All actions of the audit log in words. If the service has an action that is missing here, there is a type error. */
export const ACTION_NAMES = {
  'token.issue': 'Token request',
  'token.refresh': 'Token refresh',
  'session.start': 'Sign-in',
  'session.end': 'Sign-out',
  'client.add': 'Client added',
  'client.change': 'Client changed',
  'client.rotate': 'Client secret renewed',
  'client.revoke': 'Client revoked',
  'key.rotate': 'Signing key changed',
  'job.submit': 'Job submitted',
  'job.retry': 'Job run again',
  'job.cancel': 'Job cancelled',
  'job.change': 'Jobs changed',
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
  'link.create': 'Temporary link created',
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
  'audit.skip': 'Records skipped',
} as const satisfies Record<Action, string>;

export const ACTIONS = Object.keys(ACTION_NAMES) as Action[];

export const OUTCOMES = ['done', 'refused', 'failed'] as const satisfies readonly Outcome[];

export const OUTCOME_NAMES = { done: 'Done', refused: 'Refused', failed: 'Failed' } as const satisfies Record<
  Outcome,
  string
>;

/** The times to choose from. Those with `seconds` end now: unlike days, they move with the clock. `days`: the user enters the days. */
export const TIMES = [
  { value: '', name: 'All' },
  { value: 'hour', name: 'Last hour', seconds: 3600 },
  { value: 'today', name: 'Today' },
  { value: 'day', name: 'Last 24 hours', seconds: 86_400 },
  { value: 'week', name: 'Last 7 days', seconds: 604_800 },
  { value: 'days', name: 'From … to' },
] as const;

type Time = (typeof TIMES)[number];
export type TimeChoice = Time['value'];
type Latest = Extract<Time, { readonly seconds: number }>;

export const LATEST = TIMES.filter((time): time is Latest => 'seconds' in time);

/** The filter of the audit log. It is stored in the URL. */
export interface AuditFilter {
  readonly action?: Action;
  readonly outcome?: Outcome;
  readonly client?: string;
  readonly target?: string;
  /** Records of a time range that ends now. If it is set, `from` and `to` are absent. */
  readonly latest?: Latest['value'];
  /** The first day, such as `2026-01-31`, in the time zone of the browser. */
  readonly from?: string;
  /** The last day. */
  readonly to?: string;
}

/** The day of a time in the time zone of the browser: `2026-01-31`. */
export const dayOf = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** Whether a text is a day as fields and URLs have it, and the calendar has this day. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(new Date(`${text}T00:00:00`)) === text;

/** Reads a filter from the query of a URL. Ignores invalid values. */
export function readAuditFilter(query: Readonly<Record<string, unknown>>): AuditFilter {
  const action = ACTIONS.find((one) => one === query['action']);
  const outcome = OUTCOMES.find((one) => one === query['outcome']);
  const latest = LATEST.find(({ value }) => value === query['latest'])?.value;
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

export function timeChoiceOf({ latest, from, to }: AuditFilter, now = new Date()): TimeChoice {
  if (latest !== undefined) return latest;
  if (from === undefined && to === undefined) return '';
  return from === dayOf(now) && to === undefined ? 'today' : 'days';
}

/** A chosen time as the query of a URL. Replaces `today` by its day, so that a shared URL keeps the day. */
export const queryOfTime = (time: TimeChoice, now = new Date()): Readonly<Record<string, string>> =>
  time === 'today' ? { from: dayOf(now) } : LATEST.some(({ value }) => value === time) ? { latest: time } : {};

/** Converts a filter to a query of the API. */
export function auditQueryOf({ from, to, latest, ...same }: AuditFilter, now = new Date()): AuditQuery {
  const range = LATEST.find(({ value }) => value === latest);
  return {
    ...same,
    ...(range && { from: new Date(now.getTime() - range.seconds * 1000).toISOString() }),
    ...(from !== undefined && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to !== undefined && { to: nextDay(to).toISOString() }),
  };
}

function nextDay(day: string): Date {
  const next = new Date(`${day}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return next;
}
