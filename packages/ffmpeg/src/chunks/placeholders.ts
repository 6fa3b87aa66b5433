import type { ChunkExtension } from '@telecine/contract/domain/chunks.ts';
import { constantRateContainer } from '../plan/request/frame-rate-modes.ts';

/** The words in the argvs of a plan that each chunk replaces with its own values. */
export const PLACEHOLDERS = {
  start: '{START}',
  length: '{LENGTH}',
  threads: '{THREADS}',
  x265: '{X265}',
  svtav1: '{SVTAV1}',
  keyFrames: '{KEY_FRAMES}',
  offset: '{OFFSET}',
  trim: '{TRIM}',
  keptTimes: '{KEPT_TIMES}',
  fill: '{FILL}',
  rate: '{RATE}',
  file: '{FILE}',
} as const;

/**
 * All files of chunks begin this many seconds later. Without this, the times of delayed frames and of audio before the first sample
 * are negative, and muxers shift them.
 */
export const SHIFT_SECONDS = 10;

const SHIFT = ['-output_ts_offset', `${SHIFT_SECONDS}`] as const;

/** Fragments have the exact time of their first frame. An edit list has milliseconds. */
const FRAGMENTS = {
  movflags: '+frag_keyframe+empty_moov+default_base_moof+frag_discont',
  use_editlist: '0',
  write_tmcd: '0',
  avoid_negative_ts: 'disabled',
} as const;

const FRAGMENT_ARGS = Object.entries(FRAGMENTS).flatMap(([name, value]) => [`-${name}`, value]);

/** The arguments for the container of a chunk. */
export const CHUNK_CONTAINER: Readonly<Record<ChunkExtension, readonly string[]>> = {
  mp4: [...SHIFT, ...FRAGMENT_ARGS, '-f', 'mp4'],
  mov: [...SHIFT, ...FRAGMENT_ARGS, '-f', 'mov'],
  mkv: [...SHIFT, '-f', 'matroska'],
};

/**
 * The arguments that write the same MP4 file at a constant frame rate, as the muxers of HLS and DASH have. From release 6 on, the muxer `mp4`
 * has a variable rate.
 */
export const CONSTANT_RATE_CONTAINER: readonly string[] = [
  ...SHIFT,
  ...['-avoid_negative_ts', 'disabled'],
  ...constantRateContainer('mp4'),
  '-segment_format_options',
  Object.entries(FRAGMENTS)
    .map(([name, value]) => `${name}=${value}`)
    .join(':'),
];

/** An edit list with microseconds instead of milliseconds. */
const EXACT_EDIT_LIST = ['-movie_timescale', '1000000', '-write_tmcd', '0'] as const;

/**
 * The arguments for the container of the other streams. Fragments do not have the length of the last packet, so mp4 has none here, and an edit
 * list can have negative times.
 */
export const REST_CONTAINER: Readonly<Record<ChunkExtension, readonly string[]>> = {
  mp4: [...EXACT_EDIT_LIST, '-f', 'mp4'],
  mov: [...EXACT_EDIT_LIST, '-f', 'mov'],
  mkv: CHUNK_CONTAINER.mkv,
};

/** Whether the other streams begin later in their container. */
export const isShifted = (extension: ChunkExtension): boolean => extension === 'mkv';
