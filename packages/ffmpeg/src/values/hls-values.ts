import { type Constants, readNumber } from './number.ts';

/**
 * The flags of `hls_flags`. The first has bit 0, the next bit 1, and so on (hlsenc.c, 5.1 to 8). The help of ffmpeg does not show the
 * numbers.
 */
const FLAGS = [
  'single_file',
  'delete_segments',
  'round_durations',
  'discont_start',
  'omit_endlist',
  'split_by_time',
  'append_list',
  'program_date_time',
  'second_level_segment_index',
  'second_level_segment_duration',
  'second_level_segment_size',
  'temp_file',
  'periodic_rekey',
  'independent_segments',
  'iframes_only',
] as const;

export type HlsFlag = (typeof FLAGS)[number];

const BITS: ReadonlyMap<string, number> = new Map(FLAGS.map((name, index) => [name, 2 ** index]));

const flagConstants: Constants = (name) => BITS.get(name) ?? { none: 0, all: -1, min: 0, default: 0, max: -1 }[name];

/**
 * Reads the flags that a value sets. It has names or numbers, whose signs add and remove flags: `+temp_file-single_file`,
 * `independent_segments+0x1`.
 */
export function readHlsFlags(value: string): ReadonlySet<HlsFlag> {
  let bits = 0;
  for (const [, sign = '', text = ''] of value.matchAll(/([+-]?)([^+-]+)/g)) {
    const read = (flagConstants(text) ?? readNumber(text, flagConstants) ?? 0) | 0;
    bits = sign === '+' ? bits | read : sign === '-' ? bits & ~read : read;
  }
  return new Set(FLAGS.filter((name) => (bits & (BITS.get(name) ?? 0)) !== 0));
}

/** True if the value of `hls_segment_type` means fragmented MP4. It may be a name or a number. */
export const isFmp4 = (value: string): boolean =>
  Math.round(readNumber(value, (name) => ({ mpegts: 0, fmp4: 1, default: 0, min: 0, none: 0, max: 1 })[name]) ?? 0) ===
  1;
