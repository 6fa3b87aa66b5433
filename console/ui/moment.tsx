import { formatMoment } from './format.ts';

/** A moment, in the reader's own time zone. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {formatMoment(at)}
    </time>
  );
}
