import type { DryRun } from '@telecine/client';
import { formatBytes, formatDuration, quantity } from '../ui/format.ts';

type Estimate = NonNullable<DryRun['estimate']>;
type Output = Estimate['outputs'][number];
type Planned = DryRun['plan']['outputs'][number];

export interface EstimateText {
  /**
   * The likely value: `about 4 MB`. If an option or the recipe limits it and nothing else is known: `up to 8 MB`. If little is known of a size:
   * the range, `100 kB to 2 MB`.
   */
  readonly likely: string;
  /** The range that contains nine of ten results, `3 MB to 6 MB`, or its limit: `up to 8 MB`. Absent if it says no more than `likely`. */
  readonly range?: string;
}

/** If the largest probable size is this many times the smallest, the text is the range: one value would look more exact than it is. */
const WIDE = 8;

/** The probable size of an output. undefined: unknown. */
export function sizeText({ sizeBytes, basis = [] }: Output): EstimateText | undefined {
  const text = rangeText(sizeBytes, formatBytes);
  if (text === undefined || sizeBytes === undefined) return text;
  if (!basis.includes('limit'))
    return text.range !== undefined && sizeBytes.high >= WIDE * sizeBytes.low ? { likely: text.range } : text;
  const limit = `up to ${formatBytes(sizeBytes.high)}`;
  return text.range === undefined ? { likely: limit } : { ...text, range: limit };
}

/** The probable duration of the conversion. undefined: unknown. */
export const timeText = ({ time }: Estimate): EstimateText | undefined => rangeText(time.seconds, estimatedTime);

/** An estimated duration. All of them are in one unit, so that both ends of a range can be compared: `0.05 s to 0.8 s`. */
export const estimatedTime = (seconds: number): string =>
  seconds < 0.095 ? quantity(Number(seconds.toPrecision(1)), 's') : formatDuration(seconds);

/** What comes before the conversion. undefined: nothing, so it starts at once, or this is unknown. */
export function queueText({ time: { jobsBefore } }: Estimate): string | undefined {
  if (jobsBefore === undefined) return undefined;
  if (jobsBefore === 0) return 'Starts when a worker has a free slot.';
  return jobsBefore === 1 ? 'Starts after one queued job.' : `Starts after ${jobsBefore} queued jobs.`;
}

/** The time and the size of a plan in a few words: `about 13 s · 3.5 MB`. '': unknown. */
export function shortEstimate({ estimate }: Pick<DryRun, 'estimate'>): string {
  const time = estimate && timeText(estimate)?.likely;
  const [first, ...others] = estimate?.outputs ?? [];
  const size = first && others.length === 0 ? sizeText(first)?.likely : undefined;
  return [time, time?.startsWith('about') ? size?.replace(/^about /, '') : size].filter(Boolean).join(' · ');
}

/**
 * What a plan makes, its size and its time in a few words: `MP4, 3 s · about 581 kB · takes about 1.8 s`. What is not known is left out. '': nothing
 * is known.
 */
export function madeText({ plan, estimate }: Pick<DryRun, 'plan' | 'estimate'>): string {
  const [first, ...others] = plan.outputs;
  const [ofFirst] = estimate?.outputs ?? [];
  const { durationSeconds } = ofFirst ?? {};
  const length = durationSeconds === undefined ? [] : [formatDuration(durationSeconds)];
  const one = first && [formatName(first), ...length].join(', ');
  const what = others.length > 0 ? `${plan.outputs.length} outputs` : one;
  const size = others.length === 0 && ofFirst ? sizeText(ofFirst)?.likely : undefined;
  const time = estimate && timeText(estimate)?.likely;
  // Without "takes", the time could be read as a second length, because the length of the output comes before it.
  return [what, size, time && `takes ${time}`].filter(Boolean).join(' · ');
}

/** Formats whose outputs have the name of a playlist. */
const PLAYLISTS: ReadonlySet<string> = new Set(['hls', 'dash']);

/** `GIF` of `in.gif`. */
const formatName = ({ path, muxer }: Planned): string =>
  ((PLAYLISTS.has(muxer) ? undefined : /\.([^./]+)$/.exec(path)?.[1]) ?? muxer).toUpperCase();

/** A range of sizes or times in words. undefined: unknown. */
export function rangeText(range: Output['sizeBytes'], write: (value: number) => string): EstimateText | undefined {
  if (range === undefined) return undefined;
  const [low, likely, high] = [range.low, range.likely, range.high].map(write);
  return low === high ? { likely: `about ${likely}` } : { likely: `about ${likely}`, range: `${low} to ${high}` };
}
