import type { NewWatch } from '@telecine/client/api.ts';
import { WEEKDAYS, type Weekday } from '@telecine/contract/domain/watch.ts';
import { InvalidArgumentError } from 'commander';

type Hours = NonNullable<NewWatch['activeHours']>[number];

/** Reads `22:00-06:00`, `mon-fri 22:00-06:00` or `sat,sun 00:00-24:00`. Throws an error that commander prints. */
export function readHours(text: string): Hours {
  const [, days = '', from = '', to = ''] =
    /^(?:([a-z,-]+) +)?(\d{1,2}:\d\d) ?- ?(\d{1,2}:\d\d)$/i.exec(text.trim()) ?? [];
  const [begin, end] = [clockTime(from), clockTime(to === '24:00' ? '00:00' : to)];
  const list = days === '' ? undefined : daysOf(days.toLowerCase());
  if (begin === undefined || end === undefined || (days !== '' && list === undefined))
    throw new InvalidArgumentError(
      'Write hours as 22:00-06:00, with days as "mon-fri 22:00-06:00" or "sat,sun 00:00-24:00".',
    );
  return { from: begin, to: end, ...(list !== undefined && { days: [...list] }) };
}

export const addHours = (text: string, before: readonly Hours[] = []): Hours[] => [...before, readHours(text)];

function clockTime(text: string): string | undefined {
  const time = text.padStart(5, '0');
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time) ? time : undefined;
}

/** Reads `mon-fri`, `sat,sun` or `fri-mon`. undefined: a word is not a day. */
function daysOf(text: string): readonly Weekday[] | undefined {
  const days = new Set<Weekday>();
  for (const part of text.split(',')) {
    const [first, last = first, ...more] = part.split('-').map((day) => (WEEKDAYS as readonly string[]).indexOf(day));
    if (first === undefined || last === undefined || first < 0 || last < 0 || more.length > 0) return undefined;
    // `fri-mon` goes on with the next week.
    const count = ((last - first + WEEKDAYS.length) % WEEKDAYS.length) + 1;
    for (let i = 0; i < count; i += 1) days.add(WEEKDAYS[(first + i) % WEEKDAYS.length] ?? 'mon');
  }
  return WEEKDAYS.filter((day) => days.has(day));
}
