import { formatFullMoment } from '../../ui/format.ts';
import { useMinute } from '../../ui/use-minute.ts';
import { lastUseText } from './last-use-text.ts';

/** When a client was last used. `at`: undefined if it never was. */
export function LastUse({ at }: { readonly at: string | undefined }) {
  const now = useMinute();
  if (at === undefined) return 'never';
  return (
    <time dateTime={at} title={`${formatFullMoment(at)}, or up to an hour later`}>
      {lastUseText(at, now)}
    </time>
  );
}
