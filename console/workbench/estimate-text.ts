import type { DryRun } from '@telecine/client';
import { formatBytes, formatDuration } from '../ui/format.ts';

type Estimate = NonNullable<DryRun['estimate']>;
type Output = Estimate['outputs'][number];

export interface EstimateText {
  /**
   * The range that contains nine of ten results: `3 MB to 6 MB`. If both ends have the same text: `about 4 MB`. If an option or the recipe
   * limits it: `up to 8 MB`.
   */
  readonly range: string;
  /** The likely value in the range: `probably about 4 MB`. */
  readonly likely?: string;
}

/** The probable size of an output. undefined: unknown. */
export function sizeText({ sizeBytes, basis = [] }: Output): EstimateText | undefined {
  const text = rangeText(sizeBytes, formatBytes);
  if (text === undefined || sizeBytes === undefined || !basis.includes('limit')) return text;
  return { ...text, range: `up to ${formatBytes(sizeBytes.high)}` };
}

/** The probable duration of the conversion, or the least that is known. undefined: unknown. */
export function timeText({ time }: Estimate): EstimateText | undefined {
  const { longerThanSeconds } = time;
  if (longerThanSeconds !== undefined) return { range: `over ${formatDuration(longerThanSeconds)}` };
  return rangeText(time.seconds, formatDuration);
}

/** What comes before the conversion. undefined: nothing, so it starts at once, or this is unknown. */
export function queueText({ time: { jobsBefore } }: Estimate): string | undefined {
  if (jobsBefore === undefined) return undefined;
  if (jobsBefore === 0) return 'Cannot start at once.';
  return jobsBefore === 1 ? 'Starts after one queued job.' : `Starts after ${jobsBefore} queued jobs.`;
}

function rangeText(range: Output['sizeBytes'], write: (value: number) => string): EstimateText | undefined {
  if (range === undefined) return undefined;
  const [low, likely, high] = [range.low, range.likely, range.high].map(write);
  return low === high
    ? { range: `about ${likely}` }
    : { range: `${low} to ${high}`, likely: `probably about ${likely}` };
}
