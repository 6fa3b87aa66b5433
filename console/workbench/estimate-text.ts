import type { DryRun } from '@telecine/client';
import { formatBytes, formatDuration } from '../ui/format.ts';

type Estimate = NonNullable<DryRun['estimate']>;
type Output = Estimate['outputs'][number];

/** The probable size of an output: `about 4 MB (3 MB to 6 MB)`. undefined if the service does not know. */
export const sizeText = ({ sizeBytes }: Output): string | undefined => rangeText(sizeBytes, formatBytes);

/** How long the conversion probably runs: `about 12 s (8 s to 20 s)`. undefined if the service does not know. */
export const timeText = ({ time }: Estimate): string | undefined => rangeText(time.seconds, formatDuration);

/** A range that is written alike at both ends is one value. */
function rangeText(range: Output['sizeBytes'], write: (value: number) => string): string | undefined {
  if (range === undefined) return undefined;
  const [low, likely, high] = [range.low, range.likely, range.high].map(write);
  return low === high ? `about ${likely}` : `about ${likely} (${low} to ${high})`;
}
