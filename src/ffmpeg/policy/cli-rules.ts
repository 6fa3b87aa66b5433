/**
 * The options of ffmpeg's own that a caller may use, reviewed one by one; all others are refused.
 * Whether they take an argument and where they may stand is asked of the program, never written here.
 */
export interface CliRule {
  /** What may follow a colon; absent: nothing. From OPT_SPEC in ffmpeg's source, which no question reveals. */
  readonly specifier?: 'stream' | 'metadata';
  /** ffmpeg takes the option more than once. */
  readonly repeatable?: true;
  /** Values that can neither reach a file nor run long. Others pass in the sandbox only. */
  readonly plain: RegExp;
  /** Shown with a refusal: what `plain` means. Absent: no value is plain. */
  readonly shape?: string;
}

const rule = (plain: RegExp, shape: string) => ({ plain, shape });

const NUMBER = rule(/^[-+]?[\d.]+(?:e[-+]?\d+)?[A-Za-z]*$/i, 'a number such as "23", "1.5" or "2M"');
const TIME = rule(/^[-+]?[\d:.]+(?:s|ms|us)?$/, 'a time such as "12.5" or "00:01:30"');
const RATE = rule(/^[\w.:/-]+$/, 'a number, a ratio such as "30000/1001", or a word');
const WORD = rule(/^[\w.+-]+$/, 'a word such as "libx264" or "yuv420p"');
const WORDS = rule(/^[\w.+|,:-]+$/, 'words such as "default" or "+forced"');
const NUMBERS = rule(/^[\d.,/:-]+$/, 'numbers separated by commas');
const TEXT = rule(/^[^\0]*$/s, 'any text');
/** Filters can open files. */
const NEVER = { plain: /^(?!)/ };
const MAP = rule(/^-?\d+(?::[\w:.# -]+)?\??$/, 'a stream of an input such as "0:v:0" or "-0:s"');

const stream = { specifier: 'stream' } as const;
const metadata = { specifier: 'metadata' } as const;
const repeatable = { repeatable: true } as const;

export const CLI_RULES: ReadonlyMap<string, CliRule> = new Map<string, CliRule>([
  ['c', { ...WORD, ...stream }],
  ['b', { ...NUMBER, ...stream }],
  ['q', { ...NUMBER, ...stream }],
  ['profile', { ...WORD, ...stream }],
  ['frames', { ...NUMBER, ...stream }],
  ['tag', { ...WORD, ...stream }],
  ['bsf', { ...rule(/^\w+(?:,\w+)*$/, 'names such as "h264_mp4toannexb", without arguments'), ...stream }],
  ['filter', { ...NEVER, ...stream }],
  ['filter_complex', { ...NEVER, ...repeatable }],
  ['reinit_filter', { ...NUMBER, ...stream }],
  ['discard', { ...WORD, ...stream }],
  ['disposition', { ...WORDS, ...stream, ...repeatable }],

  ['t', TIME],
  ['to', TIME],
  ['ss', TIME],
  ['sseof', TIME],
  ['seek_timestamp', NUMBER],
  ['accurate_seek', NUMBER],
  ['noaccurate_seek', NUMBER],
  ['itsoffset', TIME],
  ['itsscale', { ...NUMBER, ...stream }],
  ['isync', NUMBER],
  ['stream_loop', NUMBER],
  ['thread_queue_size', NUMBER],
  ['find_stream_info', NUMBER],
  ['nofind_stream_info', NUMBER],
  ['fs', NUMBER],
  ['timestamp', rule(/^[\w:. +-]+$/, '"now" or a date')],
  ['muxdelay', NUMBER],
  ['muxpreload', NUMBER],
  ['shortest', NUMBER],
  ['shortest_buf_duration', NUMBER],
  ['bitexact', NUMBER],
  ['copyts', NUMBER],
  ['start_at_zero', NUMBER],
  ['copytb', NUMBER],
  ['copyinkf', { ...NUMBER, ...stream }],
  ['copypriorss', { ...NUMBER, ...stream }],
  ['dts_delta_threshold', NUMBER],
  ['dts_error_threshold', NUMBER],
  ['max_error_rate', NUMBER],
  ['abort_on', WORDS],
  ['xerror', NUMBER],
  ['ignore_unknown', NUMBER],
  ['copy_unknown', NUMBER],
  ['recast_media', NUMBER],
  ['auto_conversion_filters', NUMBER],
  ['noauto_conversion_filters', NUMBER],
  ['max_muxing_queue_size', { ...NUMBER, ...stream }],
  ['muxing_queue_data_threshold', { ...NUMBER, ...stream }],

  ['map', { ...MAP, ...repeatable }],
  ['map_channel', { ...rule(/^[-\d.:]+$/, 'channels such as "0.1.0"'), ...repeatable }],
  ['map_chapters', NUMBER],
  ['map_metadata', { ...rule(/^-?\d+(?::[\w:]+)?$/, 'an input such as "0", "0:s:0" or "-1"'), ...metadata }],
  ['metadata', { ...TEXT, ...metadata, ...repeatable }],
  ['program', { ...TEXT, ...repeatable }],
  ['streamid', { ...NUMBERS, ...repeatable }],
  ['target', WORD],

  ['vn', NUMBER],
  ['r', { ...RATE, ...stream }],
  ['fpsmax', { ...RATE, ...stream }],
  ['fps_mode', { ...WORD, ...stream }],
  ['vsync', WORD],
  ['force_fps', { ...NUMBER, ...stream }],
  ['s', { ...RATE, ...stream }],
  ['aspect', { ...RATE, ...stream }],
  ['pix_fmt', { ...WORD, ...stream }],
  ['timecode', rule(/^[\d:;.]+$/, 'a time code such as "01:00:00:00"')],
  [
    'force_key_frames',
    { ...rule(/^(?:source|chapters|[\d.:,]+)$/, 'times separated by commas, or "source"'), ...stream },
  ],
  ['rc_override', { ...NUMBERS, ...stream }],
  ['intra_matrix', { ...NUMBERS, ...stream }],
  ['inter_matrix', { ...NUMBERS, ...stream }],
  ['chroma_intra_matrix', { ...NUMBERS, ...stream }],
  ['top', { ...NUMBER, ...stream }],
  ['bits_per_raw_sample', { ...NUMBER, ...stream }],
  ['autorotate', { ...NUMBER, ...stream }],
  ['noautorotate', { ...NUMBER, ...stream }],
  ['autoscale', { ...NUMBER, ...stream }],
  ['noautoscale', { ...NUMBER, ...stream }],
  ['apply_cropping', { ...WORD, ...stream }],
  ['display_rotation', { ...NUMBER, ...stream }],
  ['display_hflip', { ...NUMBER, ...stream }],
  ['display_vflip', { ...NUMBER, ...stream }],
  ['time_base', { ...RATE, ...stream }],
  ['enc_time_base', { ...RATE, ...stream }],

  ['an', NUMBER],
  ['ar', { ...NUMBER, ...stream }],
  ['ac', { ...NUMBER, ...stream }],
  ['sample_fmt', { ...WORD, ...stream }],
  ['ch_layout', { ...WORDS, ...stream }],
  ['guess_layout_max', { ...NUMBER, ...stream }],
  ['apad', { ...NEVER, ...stream }],
  ['vol', NUMBER],

  ['sn', NUMBER],
  ['dn', NUMBER],
  ['fix_sub_duration', { ...NUMBER, ...stream }],
  ['canvas_size', { ...RATE, ...stream }],
]);
