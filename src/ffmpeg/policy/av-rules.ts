/**
 * AVOptions whose value is free text (string, binary, dictionary: ffmpeg has no type for paths) but which were
 * reviewed and name nothing outside of the encoder or container. Other text passes in the sandbox only.
 */
const REVIEWED_TEXT: ReadonlySet<string> = new Set(
  (
    'preset tune profile level partitions deblock psy-rd wpredp gop_timecode vendor brand encryption_scheme hash ' +
    'segment_times segment_frames reference_stream adaptation_sets cc_stream_map framerate video_size pixel_format ' +
    'sub_charenc txt_page algorithm antialias layer_rates rc_eq list_dither'
  ).split(' '),
);

/** Words and numbers in lists; no slash, backslash or quote, so neither a path nor an expression with a call. */
const PLAIN_TEXT = /^[\w.,:+\-=|#@ ]*$/;

const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'binary', 'dictionary']);

/**
 * Options that name a file which ffmpeg writes. The name is put beside the output by the plan; those that ffmpeg
 * itself resolves beside the output (`hls_fmp4_init_filename`, the names of DASH segments) pass as they are.
 */
const WRITES: ReadonlyMap<string, 'from here' | 'from the output'> = new Map([
  ['hls_segment_filename', 'from here'],
  ['segment_list', 'from here'],
  ['hls_fmp4_init_filename', 'from the output'],
  ['master_pl_name', 'from the output'],
  ['init_seg_name', 'from the output'],
  ['media_seg_name', 'from the output'],
  ['single_file_name', 'from the output'],
  ['hls_master_name', 'from the output'],
]);

/** How a sibling of the output is named: by a path from the working folder, or from the output's own folder. */
export const sibling = (name: string): 'from here' | 'from the output' | undefined => WRITES.get(name);

export const isTextType = (type: string): boolean => TEXT_TYPES.has(type);

/** Whether text for `name` is harmless without a sandbox. */
export const isReviewedText = (name: string, value: string): boolean =>
  REVIEWED_TEXT.has(name) && PLAIN_TEXT.test(value);

/**
 * Values of all other types are read by ffmpeg as expressions, and `while(1,1)` never ends, not even on SIGTERM.
 * Without a parenthesis there is no call.
 */
export const hasCall = (value: string): boolean => value.includes('(');
