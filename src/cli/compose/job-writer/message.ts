import type { Entry } from '../../../jobs/submit/insert-jobs.ts';

/**
 * Entries as the thread gets them: one text, since Node hands a text to another thread sooner than objects, and of each
 * entry two lines, since its request is JSON already.
 */
export const messageOf = (entries: readonly Entry[]): string =>
  entries.map(({ request, ...rest }) => `${JSON.stringify(rest)}\n${request}`).join('\n');

export function entriesOf(message: string): readonly Entry[] {
  const lines = message.split('\n');
  const entries: Entry[] = [];
  for (let i = 0; i + 1 < lines.length; i += 2)
    entries.push({ ...(JSON.parse(lines[i] ?? '') as Omit<Entry, 'request'>), request: lines[i + 1] ?? '' });
  return entries;
}
