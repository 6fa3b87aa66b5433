import type { Watch } from '@telecine/client';
import { nextScanOf } from '../../packages/contract/src/domain/watch-text.ts';
import { Moment } from '../ui/moment.tsx';
import { Until } from '../ui/until.tsx';

/** When the folder of a watch was scanned last, and when it is next: `1 min ago, every 15 s`, `5 min ago, next in 10 min`. */
export function ScanTimes({ watch }: { readonly watch: Watch }) {
  const { lastScan } = watch;
  const next = nextScanOf(watch);
  if (lastScan === undefined) return 'not yet';
  return (
    <>
      <Moment at={lastScan.at} />
      {next !== undefined && (
        <>
          , {'every' in next ? next.every : 'next '}
          {'at' in next && <Until at={next.at} />}
        </>
      )}
    </>
  );
}
