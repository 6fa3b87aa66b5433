import type { analysisSpec, interval, measurementsSchema } from '../wire/analysis.ts';
import type { settings } from '../wire/measurement-settings.ts';
import type { Shape } from '../wire/shape.ts';

export const MEASUREMENTS = [
  'loudness',
  'volume',
  'silence',
  'black',
  'freeze',
  'scenes',
  'crop',
  'interlacing',
  'duplicates',
  'bitrate',
  'keyframes',
  'errors',
  'psnr',
  'ssim',
  'xpsnr',
  'vmaf',
] as const;

export type Measurement = (typeof MEASUREMENTS)[number];

/** Measurements that compare the input with a reference. */
export const COMPARISONS = ['psnr', 'ssim', 'xpsnr', 'vmaf'] as const satisfies readonly Measurement[];

export type Comparison = (typeof COMPARISONS)[number];

export const isComparison = (measurement: Measurement): measurement is Comparison =>
  (COMPARISONS as readonly Measurement[]).includes(measurement);

const OF_AUDIO: ReadonlySet<Measurement> = new Set(['loudness', 'volume', 'silence']);
const ALL_KINDS: ReadonlySet<Measurement> = new Set(['bitrate', 'errors']);

/** The kind of streams that a measurement reads. undefined: all kinds. */
export const measuredKind = (measurement: Measurement): 'audio' | 'video' | undefined =>
  ALL_KINDS.has(measurement) ? undefined : OF_AUDIO.has(measurement) ? 'audio' : 'video';

export type AnalysisSettings = Shape<typeof settings>;

/** The values of settings that a request does not set. */
const DEFAULT_SETTINGS = {
  silence: { noiseDb: -60, minSeconds: 2 },
  black: { minSeconds: 2, share: 0.98, pixel: 0.1 },
  freeze: { noiseDb: -60, minSeconds: 2 },
  scenes: { threshold: 10 },
  // `limit` is the default of cropdetect: 24 of 255.
  crop: { limit: 0.0941176, round: 2 },
  bitrate: { intervalSeconds: 1 },
} as const satisfies { readonly [K in keyof AnalysisSettings]: Required<AnalysisSettings[K]> };

type AllSettings = { readonly [K in keyof AnalysisSettings]-?: Required<NonNullable<AnalysisSettings[K]>> };

/** All settings of an analysis: the settings in the request, and defaults for the others. */
export const allSettings = ({ settings = {} }: Pick<AnalysisSpec, 'settings'>): AllSettings => ({
  silence: { ...DEFAULT_SETTINGS.silence, ...settings.silence },
  black: { ...DEFAULT_SETTINGS.black, ...settings.black },
  freeze: { ...DEFAULT_SETTINGS.freeze, ...settings.freeze },
  scenes: { ...DEFAULT_SETTINGS.scenes, ...settings.scenes },
  crop: { ...DEFAULT_SETTINGS.crop, ...settings.crop },
  bitrate: { ...DEFAULT_SETTINGS.bitrate, ...settings.bitrate },
});

/** The settings of the measurements in `measure`. undefined: these measurements have no settings. */
export function usedSettings({ measure, settings }: AnalysisSpec): AnalysisSettings | undefined {
  const all = allSettings(settings === undefined ? {} : { settings });
  const used = measure.filter((one): one is keyof AllSettings & Measurement => Object.hasOwn(all, one));
  return used.length === 0 ? undefined : Object.fromEntries(used.map((one) => [one, all[one]]));
}

/** What an analysis measures, and in which part of the input. `ss` and `t` apply to the reference too. */
export interface AnalysisSpec extends Shape<typeof analysisSpec> {
  /**
   * How many seconds the video is longer than the audio. Present if `silence` is measured: the end of the video without audio then counts as
   * silent. The service sets it; requests cannot send it.
   */
  readonly silentTail?: number;
}

/** The maximum number of stored entries in a list of results. The totals of the list count all entries. */
export const MAX_LISTED = 20_000;

/** The maximum number of entries of a list in the record of a job. Clients read the other entries in pages. */
export const FIRST_LISTED = 1000;

/** A part of the input, in seconds from its start. */
export type Interval = Shape<typeof interval>;

/** Parts of the input that a measurement found. In a job, the list has at most `MAX_LISTED` entries and no cursor. */
export type Intervals = NonNullable<Measurements['silence']>;

/** `doubtful`: errors, but no frame and no sample is lost. `cut off`: less data than the header says. `empty`: no frame. */
export const ERROR_VERDICTS = ['intact', 'doubtful', 'damaged', 'cut off', 'empty'] as const;

export type ErrorVerdict = (typeof ERROR_VERDICTS)[number];

/**
 * The results of an analysis. Times are seconds from the start of the input. Stored lists have up to `MAX_LISTED` entries. Lists in views
 * have up to `FIRST_LISTED` entries.
 */
export type Measurements = Shape<typeof measurementsSchema>;
