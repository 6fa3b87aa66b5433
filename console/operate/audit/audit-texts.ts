import type { AuditList } from '@telecine/client';
import { formatFullMoment } from '../../ui/format.ts';
import { ACTION_NAMES } from './audit-filter.ts';

export type AuditRecord = AuditList['records'][number];

/** How requests reached the service. The HTTP API is left out, because nearly all requests use it. */
const VIA: { readonly [Via in Exclude<NonNullable<AuditRecord['via']>, 'rest'>]: string } = {
  mcp: 'MCP',
  'command line': 'the command line',
  service: 'the service',
};

/**
 * The action of a record in words. Newer services can have actions that are not known here. Links to the outputs
 * of a job, with which players play too, are other ones than shared links.
 */
export function actionText({ action, target, details = {} }: AuditRecord): string {
  if (action === 'link.create' && target !== undefined) return 'Output link created';
  const owner = clientOfJob(details);
  if (action === 'job.retry' && owner !== undefined) return `Job run again for ${owner}`;
  const words: string | undefined = ACTION_NAMES[action];
  return words ?? action;
}

/** The client of a job that another client runs again. */
const clientOfJob = (details: Readonly<Record<string, unknown>>): string | undefined => text(details['client']);

/** Details that the column of the targets shows. `watchId` is a link. */
const NAMES = ['output', 'folder', 'url'] as const;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** By what people know the target of a record: the output of a job, the folder of a watch, the URL of a webhook. undefined: only its id is known. */
export const nameOfTarget = ({ action, details = {} }: AuditRecord): string | undefined => {
  const [name] = action.startsWith('job.')
    ? [details['output']]
    : action.startsWith('watch.')
      ? [details['folder']]
      : action.startsWith('webhook.')
        ? [details['url']]
        : [];
  return text(name);
};

/** The names of targets by their ids. Later records of the same target have only its id. */
export const namesOfTargets = (records: readonly AuditRecord[]): ReadonlyMap<string, string> =>
  new Map(
    records.flatMap((record) => {
      const name = nameOfTarget(record);
      return record.target === undefined || name === undefined ? [] : [[record.target, name] as const];
    }),
  );

/** Who did it: a client, a person at the command line, or the service itself. */
export const actorOf = ({ client, via }: AuditRecord): string =>
  client ?? (via === 'command line' || via === 'service' ? VIA[via] : 'unknown');

/** The watch that has submitted a job. */
export const watchOf = ({ action, details = {} }: AuditRecord): string | undefined =>
  action.startsWith('job.') ? text(details['watchId']) : undefined;

/** The name of a detail in words: `expires at` of `expiresAt`. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The other facts of a record, and then, as a sentence of its own, how its request reached the service: `Grace hours: 2. Via MCP from ::1`. */
export const detailsText = (record: AuditRecord): string => {
  const { details = {}, via, address } = record;
  const way = via === undefined || via === 'rest' ? undefined : VIA[via];
  const isShown = (name: string): boolean =>
    !(nameOfTarget(record) !== undefined && NAMES.some((one) => one === name)) &&
    !(name === 'watchId' && watchOf(record) !== undefined) &&
    !(name === 'client' && record.action === 'job.retry');
  const facts = Object.entries(details)
    .filter(([name]) => isShown(name))
    .map(([name, value]) => `${wordsOf(name)}: ${valueText(value)}`)
    .join(', ');
  const origin = [way !== actorOf(record) && way && `via ${way}`, address && `from ${address}`]
    .filter(Boolean)
    .join(' ');
  return [facts, origin]
    .filter(Boolean)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('. ');
};

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, each]) => `${wordsOf(name)} ${valueText(each)}`)
      .join(', ');
  if (typeof value !== 'string') return String(value);
  return MOMENT.test(value) ? formatFullMoment(value) : value;
}
