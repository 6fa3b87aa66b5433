import type { AuditList } from '@telecine/client';
import { formatFullMoment } from '../../ui/format.ts';

export type AuditRecord = AuditList['records'][number];

const VIA: { readonly [Via in NonNullable<AuditRecord['via']>]: string } = {
  rest: 'the API',
  mcp: 'MCP',
  'command line': 'the command line',
  service: 'the service',
};

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

/** What else is known of a record, and by which way it came: `expires at: in 3 h, by the command line`. */
export const detailsText = (record: AuditRecord): string => {
  const { details = {}, via, address } = record;
  const isShown = (name: string): boolean =>
    !(nameOfTarget(record) !== undefined && NAMES.some((one) => one === name)) &&
    !(name === 'watchId' && watchOf(record) !== undefined);
  const parts = [
    ...Object.entries(details)
      .filter(([name]) => isShown(name))
      .map(([name, value]) => `${wordsOf(name)}: ${valueText(value)}`),
    [via && `by ${VIA[via]}`, address && `from ${address}`].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ');
  return parts.charAt(0).toUpperCase() + parts.slice(1);
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
