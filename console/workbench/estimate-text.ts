import type { DryRun } from '@telecine/client';
import { formatBytes, formatDuration } from '../ui/format.ts';

type Estimate = NonNullable<DryRun['estimate']>;
type Output = Estimate['outputs'][number];

/** An estimate as people read it. */
export interface EstimateText {
  /** `about 4 MB` */
  readonly likely: string;
  /** `3 MB to 6 MB`. Absent if both ends are written like the likely value. */
  readonly bounds?: string;
}

/** The probable size of an output. undefined if the service does not know. */
export const sizeText = ({ sizeBytes }: Output): EstimateText | undefined => rangeText(sizeBytes, formatBytes);

/** How long the conversion probably runs. undefined if the service does not know. */
export const timeText = ({ time }: Estimate): EstimateText | undefined => rangeText(time.seconds, formatDuration);

function rangeText(range: Output['sizeBytes'], write: (value: number) => string): EstimateText | undefined {
  if (range === undefined) return undefined;
  const [low, likely, high] = [range.low, range.likely, range.high].map(write);
  return { likely: `about ${likely}`, ...(low !== high && { bounds: `${low} to ${high}` }) };
}
