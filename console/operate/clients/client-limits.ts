import type { Client } from '@telecine/client';

type Kind = 'bytes' | 'time' | 'count' | 'deny';

export interface Limit {
  readonly key: string;
  readonly name: string;
  readonly kind: Kind;
  /** What the name leaves open. */
  readonly note?: string;
}

/** When the day of a quota begins. */
const DAY = 'from 00:00 UTC';

/** The limits that can be set for a client, by what they limit, the most used first. */
export const LIMIT_GROUPS: readonly { readonly name: string; readonly limits: readonly Limit[] }[] = [
  {
    name: 'How much a client may use',
    limits: [
      { key: 'jobs', name: 'Jobs a day', kind: 'count', note: DAY },
      { key: 'media', name: 'Media a day', kind: 'time', note: DAY },
      { key: 'storage', name: 'Stored files', kind: 'bytes' },
      { key: 'records', name: 'Records in the database', kind: 'bytes' },
      { key: 'retention', name: 'Keep outputs for', kind: 'time' },
      { key: 'pending', name: 'Queued jobs', kind: 'count' },
      { key: 'webhooks', name: 'Webhooks', kind: 'count' },
      { key: 'watches', name: 'Watched folders', kind: 'count' },
      { key: 'shares', name: 'Shared links', kind: 'count' },
    ],
  },
  {
    name: 'How fast',
    limits: [
      { key: 'running', name: 'Jobs at the same time', kind: 'count' },
      { key: 'priority', name: 'Highest priority', kind: 'count' },
      { key: 'submissions', name: 'Submissions a minute', kind: 'count' },
      { key: 'requests', name: 'Requests a minute', kind: 'count' },
      { key: 'replies', name: 'Size of replies a minute', kind: 'bytes' },
      { key: 'tokens', name: 'Tokens a minute', kind: 'count' },
      { key: 'event-streams', name: 'Open event streams', kind: 'count' },
    ],
  },
  {
    name: 'What one job may use of the machine',
    limits: [
      { key: 'time', name: 'Run time', kind: 'time' },
      { key: 'cpu', name: 'Processor time', kind: 'time' },
      { key: 'memory', name: 'Memory', kind: 'bytes' },
      { key: 'threads', name: 'Threads of an encoder', kind: 'count' },
      { key: 'processes', name: 'Processes and threads', kind: 'count' },
    ],
  },
  {
    name: 'What one job may read',
    limits: [
      { key: 'input', name: 'Size of all inputs', kind: 'bytes' },
      { key: 'streams', name: 'Streams of a file', kind: 'count' },
      { key: 'pixels', name: 'Pixels of a frame', kind: 'count' },
      { key: 'urls', name: 'URLs as inputs', kind: 'deny' },
      { key: 'fetch', name: 'Time to fetch URLs', kind: 'time' },
      { key: 'buckets', name: 'Other buckets', kind: 'deny' },
    ],
  },
  {
    name: 'What one job may write',
    limits: [
      { key: 'duration', name: 'Length of an output', kind: 'time' },
      { key: 'output', name: 'Size of one file', kind: 'bytes' },
      { key: 'scratch', name: 'Size of all files', kind: 'bytes' },
      { key: 'files', name: 'Number of files', kind: 'count' },
    ],
  },
];

/** Whether all words of a search are in the name of a limit, the name of its group or its name in the API. */
export function isFoundLimit({ key, name }: Pick<Limit, 'key' | 'name'>, group: string, search: string): boolean {
  const text = `${name} ${group} ${key}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export const LIMITS: readonly Limit[] = LIMIT_GROUPS.flatMap(({ limits }) => limits);

/** The name of a limit's form field. It corresponds to the place of the limit in the request. */
export const limitName = (key: string): string => `limits.${key}`;

/** What a value of a limit is, for people. */
const VALUES: Readonly<Record<Kind, string>> = {
  bytes: 'a value such as 8G',
  time: 'a value such as 2h',
  count: 'a number',
  deny: 'deny',
};

/** Whether a text cannot be the value of a limit, whatever its unit is. The service checks the rest. */
export const isOddLimit = (kind: Kind, text: string): boolean =>
  kind !== 'deny' && !/^(?:\d.*|none|default|)$/i.test(text.trim());

/** What to write instead of an odd value. */
export const limitHelp = (kind: Kind): string => `Write ${VALUES[kind]}, or none.`;

/** The units that the service reads, in bytes or seconds, the largest first. */
const UNITS: Partial<Record<Kind, readonly (readonly [unit: string, of: number])[]>> = {
  bytes: [
    ['T', 2 ** 40],
    ['G', 2 ** 30],
    ['M', 2 ** 20],
    ['K', 2 ** 10],
  ],
  time: [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ],
};

/** Formats a limit in the notation that the service reads: `300M`, `2h`, `none`. */
export function limitText(key: string, value: number | null): string {
  if (value === null) return 'none';
  const kind = LIMITS.find((limit) => limit.key === key)?.kind ?? 'count';
  if (kind === 'deny') return 'deny';
  const unit = value === 0 ? undefined : UNITS[kind]?.find(([, of]) => value % of === 0);
  return unit === undefined ? String(value) : `${value / unit[1]}${unit[0]}`;
}

/** What applies if the field of a limit is empty: `48h`, `no limit`, `allowed`. */
export function defaultText({ key, kind }: Limit, value: number | undefined): string {
  if (kind === 'deny') return value === undefined ? 'allowed' : 'denied';
  return value === undefined ? 'no limit' : limitText(key, value);
}

/** The own limits of a client in words: `Jobs a day 100, Memory 8G`. */
export const limitsInWords = (limits: NonNullable<Client['limits']>): string =>
  Object.entries(limits)
    .map(([key, value]) => `${LIMITS.find((limit) => limit.key === key)?.name ?? key} ${limitText(key, value)}`)
    .join(', ');

/** The text in the field of a limit. '': the default of the service applies. */
export const shownLimit = (key: string, value: number | null | undefined): string =>
  value === undefined ? '' : limitText(key, value);

/** The limits in a form that differ from the limits of the client. An empty field becomes `default`. */
export function changedLimits(
  form: Pick<FormData, 'get'>,
  before: NonNullable<Client['limits']> = {},
): Readonly<Record<string, string>> {
  const changes = LIMITS.map(({ key }) => [key, String(form.get(limitName(key)) ?? '').trim()] as const).filter(
    ([key, text]) => text !== shownLimit(key, before[key]),
  );
  return Object.fromEntries(changes.map(([key, text]) => [key, text === '' ? 'default' : text]));
}
