import type { cut, measuredParts, range, sceneParts } from '../wire/cut.ts';
import type { Shape } from '../wire/shape.ts';
import type { AnalysisSpec, Measurement } from './analysis.ts';

/** The measurements that find parts to remove. */
export const CUT_MEASUREMENTS = ['silence', 'black', 'freeze'] as const satisfies readonly Measurement[];

/** Selects the parts of the input that go into the output. Exactly one of `keep` and `remove` is set. */
export type Cut = Shape<typeof cut>;

/** A part of the input. Times count from its start, in seconds or in ffmpeg's form (`1:30.5`). Default: the start and end of the input. */
export type CutRange = Shape<typeof range>;

/** Parts of the input that the job finds by a measurement, such as silence. Exactly one measurement is set. */
export type MeasuredParts = Shape<typeof measuredParts>;

/** Keeps the middle of each scene. The job finds the scenes. */
export type SceneParts = Shape<typeof sceneParts>;

export const CUT_LIMITS = {
  /** The maximum number of parts of the input in an output. */
  ranges: 1000,
  /**
   * For parts with crossfades: the number of parts that the fix for a too long filtergraph advises. It is not a limit: a request with more
   * parts is allowed if its filtergraph is short enough.
   */
  fadedRanges: 250,
  /** The maximum number of parts if the streams are copied. ffprobe looks for the key frame of each part, which takes time. */
  copiedRanges: 100,
  marginSeconds: 10,
} as const;

/** The minimum and maximum of each setting of `CUT_MEASUREMENTS` and `SceneParts`. */
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

/** The measurements that a job makes before it can plan a cut. undefined: none. */
export function measuredBy({ keep, remove }: Cut): AnalysisSpec | undefined {
  if (isOfScenes(keep)) return { measure: ['scenes'], settings: { scenes: keep.scenes } };
  if (!isMeasured(remove)) return undefined;
  const { marginSeconds: _, ...settings } = remove;
  const measure = CUT_MEASUREMENTS.filter((one) => settings[one] !== undefined);
  return { measure, settings };
}
