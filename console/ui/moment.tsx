import { formatMoment } from './format.ts';

/** A time in the time zone of the browser. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {formatMoment(at)}
    </time>
  );
}
