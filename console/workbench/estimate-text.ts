import type { DryRun } from '@telecine/client';
import { formatBytes, formatDuration } from '../ui/format.ts';

type Estimate = NonNullable<DryRun['estimate']>;
type Output = Estimate['outputs'][number];

export interface EstimateText {
  /** Example: `about 4 MB`. */
  readonly likely: string;
  /** Example: `3 MB to 6 MB`. Absent if both ends have the same text. */
  readonly bounds?: string;
}

/** The probable size of an output. undefined: unknown. */
export const sizeText = ({ sizeBytes }: Output): EstimateText | undefined => rangeText(sizeBytes, formatBytes);

/** The probable duration of the conversion. undefined: unknown. */
export const timeText = ({ time }: Estimate): EstimateText | undefined => rangeText(time.seconds, formatDuration);

function rangeText(range: Output['sizeBytes'], write: (value: number) => string): EstimateText | undefined {
  if (range === undefined) return undefined;
  const [low, likely, high] = [range.low, range.likely, range.high].map(write);
  return { likely: `about ${likely}`, ...(low !== high && { bounds: `${low} to ${high}` }) };
}
