import type { AnalysisSpec, Interval, Measurements } from '@telecine/contract/domain/analysis.ts';
import { CUT_LIMITS, CUT_MEASUREMENTS, type Cut, measuredBy } from '@telecine/contract/domain/cut.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { isVideoNotCover } from '@telecine/contract/domain/media-info.ts';
import type { ProbedInput } from '@telecine/contract/domain/plan.ts';
import { readRanges } from './cut-ranges.ts';

/** The minimum length of a silent end, in seconds. A shorter one may be only a missing frame of audio. */
const NOTICEABLE_TAIL = 0.05;

/** What to measure in a probed input before its cut can be planned. undefined: the request names the parts. */
export function measurementOf(cut: Cut, video: ProbedInput): AnalysisSpec | undefined {
  const spec = measuredBy(cut);
  return spec && { ...spec, ...silentTailOf(video, spec) };
}

/**
 * Returns for how long a video continues after its audio has ended, because that part is silent too. Returns {} for less than
 * `NOTICEABLE_TAIL`.
 */
function silentTailOf({ format, streams }: ProbedInput, { measure }: AnalysisSpec): Pick<AnalysisSpec, 'silentTail'> {
  const audio = streams.find(({ type }) => type === 'audio');
  if (!measure.includes('silence') || !streams.some(isVideoNotCover) || audio?.durationSeconds === undefined) return {};
  const late = Math.max(0, (audio.startSeconds ?? 0) - (format.startSeconds ?? 0));
  const silentTail = Number(((format.durationSeconds ?? 0) - late - audio.durationSeconds).toFixed(3));
  return silentTail >= NOTICEABLE_TAIL ? { silentTail } : {};
}

/** Returns the measured parts or scenes, or the failure if there are more parts than an output may have. */
export function measuredParts(measurements: Measurements): readonly Interval[] | Failure {
  const { scenes } = measurements;
  if (scenes !== undefined) return scenesBetween(scenes.changes.map(({ at }) => at));
  const found = CUT_MEASUREMENTS.flatMap((one) => measurements[one] ?? []);
  const count = found.reduce((sum, one) => sum + one.count, 0);
  if (count <= CUT_LIMITS.ranges) return found.flatMap(({ intervals }) => intervals);
  return {
    code: 'INPUT_INVALID',
    message: `"remove" finds ${count} parts in the input; at most ${CUT_LIMITS.ranges} can be removed.`,
    fix: 'Send a longer "minSeconds", so that fewer parts are found.',
  };
}

const scenesBetween = (changes: readonly number[]): readonly Interval[] =>
  [0, ...changes.filter((at) => at > 0)].map((start, index, all) => ({
    start,
    end: all[index + 1] ?? Number.POSITIVE_INFINITY,
  }));

/**
 * Returns where the parts of a probed, and if needed measured, input begin, in seconds. A copy of each part begins at the key frame before.
 * Empty if the parts are wrong or too many: the plan says why.
 */
export function startsOfParts(cut: Cut, path: string, { format, measured }: ProbedInput): readonly number[] {
  const ranges = readRanges(cut, { path, seconds: format.durationSeconds, measured, errors: [], warnings: [] });
  return ranges === undefined || ranges.length > CUT_LIMITS.copiedRanges ? [] : ranges.map(({ start }) => start);
}
