const SIZES = ['small', 'large'] as const;
const VIDEO_WORK = ['x264', 'x265', 'av1', 'vp9', 'hardware', 'other-video'] as const;

/** The kinds of video encoders that differ in speed, whatever the frame size is. */
export type VideoWork = (typeof VIDEO_WORK)[number];

type KindOf<Video extends string> = `${Video}-${(typeof SIZES)[number]}`;

/**
 * The kinds of work for which the speed of a worker is measured. For videos, `small` means frames of up to 1280x720. The
 * list is short, so that a worker soon has measured what it usually does.
 */
export const WORK_KINDS = [
  ...VIDEO_WORK.flatMap((video) => SIZES.map((size): KindOf<VideoWork> => `${video}-${size}`)),
  'audio',
  'copy',
  'image',
] as const;

export type WorkKind = KindOf<VideoWork> | 'audio' | 'copy' | 'image';

/** The most pixels of a frame that counts as small. */
const SMALL_PIXELS = 1280 * 720;

export const videoKind = (video: VideoWork, pixels: number): WorkKind =>
  `${video}-${pixels <= SMALL_PIXELS ? 'small' : 'large'}`;

/**
 * How fast a worker is at one kind of work, from jobs that it ran. `ratio`: the time that these jobs took, divided by the
 * time that the model expects on its processors. `spread`: the standard deviation of the logarithm of this ratio.
 */
export interface MeasuredSpeed {
  readonly kind: WorkKind;
  readonly jobs: number;
  readonly ratio: number;
  readonly spread: number;
}

/** A speed is used only if at least this number of jobs was measured, because a single job can be an exception. */
export const ENOUGH_JOBS = 3;

/**
 * What is assumed about the spread before any job: the model is not equally right for all requests of a kind, and measured jobs that were alike
 * do not tell how different the next one is. It counts like this number of jobs.
 */
const ASSUMED_SPREAD = Math.log(1.4);
const ASSUMED_JOBS = 10;

/** About how many jobs a speed depends on at most, because it forgets old ones: each new job counts at least a twentieth. */
const REMEMBERED_JOBS = 39;

/**
 * The factor around `ratio` that contains nine of ten jobs: the two-sided 90 % interval of the t distribution for one further job. Of two
 * intervals the wider one: by the measured spread alone, and by the measured spread together with the assumed one.
 */
export function speedFactor({ jobs, spread }: MeasuredSpeed): number {
  const count = Math.min(jobs, REMEMBERED_JOBS);
  const freedom = Math.max(1, count - 1);
  const all = freedom + ASSUMED_JOBS;
  const pooled = Math.sqrt((freedom * spread ** 2 + ASSUMED_JOBS * ASSUMED_SPREAD ** 2) / all);
  return Math.exp(Math.max(quantile(freedom) * spread, quantile(all) * pooled) * Math.sqrt(1 + 1 / count));
}

/** The 95 % quantile of the t distribution, within 3 % from two degrees of freedom on. */
const quantile = (freedom: number): number => 1.645 + 2.9 * freedom ** -1.2;

const ENCODER_NAMES: Readonly<Record<VideoWork, string>> = {
  x264: 'x264',
  x265: 'x265',
  av1: 'AV1',
  vp9: 'VP9',
  hardware: 'hardware encoders',
  'other-video': 'other video',
};

/** A kind of work in words: `x264 up to 720p`, `audio`. */
export function describeKind(kind: WorkKind): string {
  const video = VIDEO_WORK.find((one) => kind.startsWith(`${one}-`));
  if (video === undefined) return { copy: 'stream copy', image: 'images' }[kind as string] ?? kind;
  return `${ENCODER_NAMES[video]} ${kind.endsWith('small') ? 'up to' : 'over'} 720p`;
}
