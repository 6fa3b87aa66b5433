import type { Job } from '@telecine/client';
import { formatRoughTimeLeft, formatTimeLeft, quantity } from '../ui/format.ts';

type JobParameters = NonNullable<Job['parameters']>;

/** All options of a job: those of the whole conversion, and those of each output. */
const allParameters = ({
  parameters = {},
  requestedOutputs = [],
}: Pick<Job, 'parameters' | 'requestedOutputs'>): readonly JobParameters[] => [
  parameters,
  ...requestedOutputs.map((one) => one.parameters ?? {}),
];

/** The options with filters of videos. */
const VIDEO_FILTERS = /^(?:vf|filter:v(?::\d+)?|filter_complex|lavfi)$/;

const choosesColours = (parameters: JobParameters): boolean =>
  Object.entries(parameters).some(([name, value]) => VIDEO_FILTERS.test(name) && /\bpalettegen\b/.test(String(value)));

/** Why the progress of a running job is not known. A palette is chosen from all frames before the first one is written. undefined: it has just begun. */
export const unknownProgressText = (job: Pick<Job, 'phase' | 'parameters' | 'requestedOutputs'>): string | undefined =>
  job.phase === 'CONVERTING' && allParameters(job).some(choosesColours) ? 'Choosing the colours…' : undefined;

/** Below this progress, in percent, the first frames say little about the others: estimates of one job differ by five times. */
const VAGUE_BELOW = 1;

/** Whether the time left is too uncertain for a plot. */
export const isTimeLeftVague = (progress: number): boolean => progress < VAGUE_BELOW;

/** Below this progress, in percent, an estimate has one figure. */
const ROUGH_BELOW = 2;

/** In seconds. For a job with less time left, the very first estimate is not shown, because a better one follows in a moment. */
const SOON = 900;

/** The text that is shown before a time left is known. */
export const ESTIMATING = 'estimating…';

type Running = Pick<Job, 'progress' | 'etaSeconds' | 'startedAt'>;

/**
 * How long a running job still needs: `1:15 left`, `11 h left`, and at the beginning `about 3 h left`. The very first estimate of a short job is
 * not shown, because the next one follows in a moment. All pages show it alike.
 */
export function timeLeftText(job: Running, now = Date.now()): string | undefined {
  const { progress = 0, etaSeconds } = job;
  if (etaSeconds === undefined) return undefined;
  if (progress >= ROUGH_BELOW) return `${formatTimeLeft(etaSeconds)} left`;
  const seconds = secondsByAllOfIt(job, now) ?? etaSeconds;
  return isTimeLeftVague(progress) && seconds < SOON ? ESTIMATING : `${formatRoughTimeLeft(seconds)} left`;
}

/** The time left by all of the run so far. The service knows the last half minute, in which the first frames of a job differ by ten times. */
function secondsByAllOfIt({ progress = 0, startedAt }: Running, now: number): number | undefined {
  const elapsed = startedAt === undefined ? 0 : (now - Date.parse(startedAt)) / 1000;
  return progress > 0 && elapsed > 0 ? (elapsed * (100 - progress)) / progress : undefined;
}

/** A conversion slower than this many times the playback is worth a reason. */
const SLOW = 0.25;

/** Presets of libx264, libx265 and other encoders for which the time is no matter. */
const SLOW_PRESETS = ['slow', 'slower', 'veryslow', 'placebo'];

/** The speed of a running job: `3.1× playback`. */
export const speedText = ({ speed }: Pick<Job, 'speed'>): string | undefined =>
  speed === undefined ? undefined : `${Number(speed.toPrecision(2))}× playback`;

type Speed = Pick<Job, 'speed' | 'fps' | 'parameters' | 'requestedOutputs'>;

/** Why a conversion is slow by its own options: `slow because of preset veryslow`. undefined: it is not slow, or not by them. */
export function slowReason({ speed, ...job }: Speed): string | undefined {
  if (speed === undefined || speed >= SLOW) return undefined;
  const all = allParameters(job).flatMap((each) => Object.entries(each));
  const found = all.find(([name, value]) => isSlow(name, value));
  return found && `slow because of ${found[0]} ${found[1]}`;
}

/** What else is known of the speed: `78 fps`, or `1.3 fps, slow because of preset veryslow`. */
export function speedNote(job: Speed): string | undefined {
  const { speed, fps } = job;
  if (speed === undefined) return undefined;
  const facts = [fps !== undefined && quantity(Number(fps.toPrecision(2)), 'fps'), slowReason(job) ?? false].filter(
    (fact) => fact !== false,
  );
  return facts.length === 0 ? undefined : facts.join(', ');
}

const isSlow = (name: string, value: unknown): boolean =>
  /^preset(?::|$)/.test(name) && SLOW_PRESETS.includes(String(value));

/** The progress of a long job stays at 0 % for minutes, so below 10 % it has a decimal: `0.4 %`. */
export const percentText = (progress: number): string =>
  quantity(progress < 10 ? Math.floor(progress * 10) / 10 : Math.floor(progress), '%');
