import type { ChunkExtension, RestExtension } from '@telecine/contract/domain/chunks.ts';

/** The words in the argvs of a plan that each chunk replaces with its own values, or with options that it may have. No value of a client begins with a dash. */
export const PLACEHOLDERS = {
  seek: '-SEEK',
  keptTimes: '-KEPT_TIMES',
  keyFrames: '-KEY_FRAMES',
  sourceStart: '{SOURCE_START}',
  threads: '{THREADS}',
  x265: '{X265}',
  svtav1: '{SVTAV1}',
  rateMode: '{RATE_MODE}',
  trim: '{TRIM}',
  file: '{FILE}',
} as const;

/**
 * All files of chunks begin this many seconds later. Without this, the times of delayed frames and of audio before the first sample
 * are negative, and muxers shift them.
 */
export const SHIFT_SECONDS = 10;

const SHIFT = ['-output_ts_offset', `${SHIFT_SECONDS}`] as const;

/** Fragments have the exact time of their first frame. An edit list has milliseconds. */
const FRAGMENTS = [
  ...['-movflags', '+frag_keyframe+empty_moov+default_base_moof+frag_discont'],
  ...['-use_editlist', '0', '-write_tmcd', '0', '-avoid_negative_ts', 'disabled'],
];

/** The arguments for the container of a chunk. */
export const chunkContainer = (extension: ChunkExtension): readonly string[] => [
  ...[...SHIFT, ...FRAGMENTS, '-f', extension],
];

/** An edit list with microseconds instead of milliseconds. */
const EXACT_EDIT_LIST = ['-movie_timescale', '1000000', '-write_tmcd', '0'] as const;

/**
 * The arguments for the container of the other streams. Fragments do not have the length of the last packet, so mp4 has none here, and an edit
 * list can have negative times.
 */
export const REST_CONTAINER: Readonly<Record<RestExtension, readonly string[]>> = {
  mp4: [...EXACT_EDIT_LIST, '-f', 'mp4'],
  mov: [...EXACT_EDIT_LIST, '-f', 'mov'],
  mkv: [...SHIFT, '-f', 'matroska'],
  // ffmpeg chooses other encoders for it than for Matroska.
  webm: [...SHIFT, '-f', 'webm'],
};

/** Whether the other streams begin later in their container. */
export const isShifted = (extension: RestExtension): boolean => extension === 'mkv' || extension === 'webm';
