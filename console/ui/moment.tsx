import { formatMoment, SHORT_CLOCK } from './format.ts';

/** A time in the time zone of the browser. `isShort`: without seconds, for lists that are sorted by time. */
export function Moment({ at, isShort = false }: { readonly at: string; readonly isShort?: boolean }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {formatMoment(at, new Date(), isShort ? SHORT_CLOCK : undefined)}
    </time>
  );
}
