import { formatAge, formatAgo, formatFullMoment, formatRecordMoment } from './format.ts';
import { useMinute } from './use-minute.ts';

/** How long ago a time is, or how far ahead. The tooltip has its date and time zone. `isExact`: the text has the date and the time, for records. */
export function Moment({ at, isExact = false }: { readonly at: string; readonly isExact?: boolean }) {
  const now = useMinute();
  const full = formatFullMoment(at);
  return (
    <time dateTime={at} title={full}>
      {isExact ? formatRecordMoment(at, now) : formatAgo(at, now)}
    </time>
  );
}

/** How long something has been so, for a sentence: `Failing for 4 min`. */
export function Age({ since }: { readonly since: string }) {
  const now = useMinute();
  return (
    <time dateTime={since} title={`Since ${formatFullMoment(since)}`}>
      {formatAge(since, now)}
    </time>
  );
}
