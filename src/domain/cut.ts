import type { AnalysisSettings, AnalysisSpec, Measurement } from './analysis.ts';

/** A part of the input: times from its start, in seconds or as ffmpeg writes them (`1:30.5`). */
export interface CutRange {
  /** Default: the start of the input. */
  readonly start?: number | string;
  /** Default: its end. */
  readonly end?: number | string;
}

/** The measurements by which parts can be removed. */
export const CUT_MEASUREMENTS = ['silence', 'black', 'freeze'] as const satisfies readonly Measurement[];
type CutMeasurement = (typeof CUT_MEASUREMENTS)[number];

/** Parts that are measured when the job runs. Exactly one measurement is set. */
export interface MeasuredParts extends Pick<AnalysisSettings, CutMeasurement> {
  /** How much of each part stays at its ends, in seconds. Default: 0. */
  readonly marginSeconds?: number;
}

/** Parts of scenes that are found when the job runs: of each chosen scene its middle, once. */
export interface SceneParts {
  readonly scenes: NonNullable<AnalysisSettings['scenes']>;
  /** How many parts. Fewer, if the input has fewer scenes. */
  readonly count: number;
  /** How long each is, in seconds. Shorter, down to half, if too few scenes are as long. */
  readonly partSeconds: number;
}

/** Which parts of the input the output has. Exactly one of `keep` and `remove` is set. */
export interface Cut {
  readonly keep?: readonly CutRange[] | SceneParts;
  readonly remove?: readonly CutRange[] | MeasuredParts;
  /** Seconds in which each part fades in over the one before. */
  readonly crossfade?: number;
}

export const CUT_LIMITS = {
  /** Parts of an output. */
  ranges: 1000,
  /** The same with a crossfade, whatever the filters. More may fit. */
  fadedRanges: 250,
  /** The same without encoding: for each, ffprobe looks for its key frame. */
  copiedRanges: 100,
  marginSeconds: 10,
} as const;

/** The ranges of settings: of `CUT_MEASUREMENTS` and of `SceneParts`. */
export const CUT_SETTINGS = {
  noiseDb: { min: -120, max: 0 },
  minSeconds: { min: 0.01, max: 86_400 },
  threshold: { min: 1, max: 100 },
  count: { min: 1, max: CUT_LIMITS.copiedRanges },
  partSeconds: { min: 0.1, max: 600 },
} as const;

export const isMeasured = (parts: Cut['remove']): parts is MeasuredParts =>
  parts !== undefined && !Array.isArray(parts);

export const isOfScenes = (parts: Cut['keep']): parts is SceneParts => parts !== undefined && !Array.isArray(parts);

/** What has to be measured before a cut can be planned. undefined: nothing. */
export function measuredBy({ keep, remove }: Cut): AnalysisSpec | undefined {
  if (isOfScenes(keep)) return { measure: ['scenes'], settings: { scenes: keep.scenes } };
  if (!isMeasured(remove)) return undefined;
  const { marginSeconds: _, ...settings } = remove;
  const measure = CUT_MEASUREMENTS.filter((one) => settings[one] !== undefined);
  return { measure, settings };
}
