import { type ActiveHours, WEEKDAYS, type Weekday } from '@telecine/contract/domain/watch.ts';

/** The day and the minute of a time in a time zone. */
function localTime(at: Date, timeZone: string): { readonly day: Weekday; readonly minute: number } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const name = (parts['weekday'] ?? '').toLowerCase();
  const day = WEEKDAYS.find((one) => one === name) ?? 'mon';
  return { day, minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
}

function minuteOf(clock: string): number {
  const [hour = '0', minute = '0'] = clock.split(':');
  return Number(hour) * 60 + Number(minute);
}

const dayBefore = (day: Weekday): Weekday =>
  WEEKDAYS[(WEEKDAYS.indexOf(day) + WEEKDAYS.length - 1) % WEEKDAYS.length] ?? day;

/**
 * Whether a watch may submit jobs at a time. Hours whose end is not after their start end on the next day. By the clock on the wall: on the
 * day on which the time zone changes, they are an hour longer or shorter.
 */
export function isActiveAt(hours: readonly ActiveHours[] | undefined, timeZone: string | undefined, at: Date): boolean {
  if (hours === undefined) return true;
  const { day, minute } = localTime(at, timeZone ?? 'UTC');
  return hours.some(({ days = WEEKDAYS, from, to }) => {
    const [start, end] = [minuteOf(from), minuteOf(to)];
    if (start < end) return days.includes(day) && minute >= start && minute < end;
    return (days.includes(day) && minute >= start) || (days.includes(dayBefore(day)) && minute < end);
  });
}
