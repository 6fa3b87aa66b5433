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

export const isTextType = (type: string): boolean => TEXT_TYPES.has(type);

/** Whether text for `name` is harmless without a sandbox. */
export const isReviewedText = (name: string, value: string): boolean =>
  REVIEWED_TEXT.has(name) && PLAIN_TEXT.test(value);

/**
 * Values of all other types are read by ffmpeg as expressions, and `while(1,1)` never ends, not even on SIGTERM.
 * Without a parenthesis there is no call.
 */
export const hasCall = (value: string): boolean => value.includes('(');
