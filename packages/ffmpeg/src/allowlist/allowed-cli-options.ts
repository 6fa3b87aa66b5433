/**
 * The rule for one option of the ffmpeg program itself, such as `map` or `ss`. Options of codecs, formats and filters (AVOptions) have no
 * rule here. The catalogue says whether the option takes an argument, and on which side it applies.
 */
export interface CliRule {
  /**
   * The kind of specifier that may follow the name: `c:v`, `metadata:s:0`. Absent: none. Copied from OPT_SPEC in ffmpeg's source, because
   * the help of older releases does not show it.
   */
  readonly specifier?: 'stream' | 'metadata';
  /** Present if a command may have the option several times, as with `map`. */
  readonly repeatable?: true;
  readonly value: CliValue;
}

/** The values that an option of the ffmpeg program accepts. Unlike in AVOptions, a number cannot be an expression (`2*1000`). */
export type CliValue =
  | { readonly takes: 'number'; readonly whole: boolean; readonly min?: number; readonly max?: number }
  | { readonly takes: 'time'; readonly signed: boolean }
  | { readonly takes: 'rate' | 'size' | 'ratio' | 'boolean' | 'key frames' }
  | { readonly takes: 'pixel format' | 'sample format' | 'channel layout' }
  /** The encoder's AVOption of the same name decides: `b` has the range of the encoder's `b`. */
  | { readonly takes: 'as the encoder' }
  | { readonly takes: 'codec' }
  | { readonly takes: 'words'; readonly names: readonly string[] }
  | { readonly takes: 'flags'; readonly names: readonly string[] }
  | { readonly takes: 'shape'; readonly pattern: RegExp; readonly shape: string }
  /** Any text: ffmpeg writes it into the output (a name of a program), or another check parses it (filtergraphs, bitstream filters). */
  | { readonly takes: 'text' };

const value = (rule: CliValue): CliRule => ({ value: rule });
const wholeNumber = (min?: number, max?: number): CliRule =>
  value({ takes: 'number', whole: true, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) });
const shape = (pattern: RegExp, text: string): CliRule => value({ takes: 'shape', pattern, shape: text });

const INT_MAX = 2 ** 31 - 1;

const NUMBER = value({ takes: 'number', whole: false });
const WHOLE = wholeNumber(-INT_MAX - 1, INT_MAX);
const COUNT = wholeNumber(0, INT_MAX);
const TIME = value({ takes: 'time', signed: true });
const LENGTH = value({ takes: 'time', signed: false });
const RATE = value({ takes: 'rate' });
const SIZE = value({ takes: 'size' });
const RATIO = value({ takes: 'ratio' });
/** A flag, which is sent as `""`, `"true"` or `"false"`. Some builds of ffmpeg give the flag an argument, which must be a boolean. */
const SWITCH = value({ takes: 'boolean' });
const AS_ENCODER = value({ takes: 'as the encoder' });
const NUMBERS = shape(/^[\d.,/:-]+$/, 'numbers separated by commas');
const TEXT = value({ takes: 'text' });
const words = (names: string): CliRule => value({ takes: 'words', names: names.split(' ') });
const flags = (names: string): CliRule => value({ takes: 'flags', names: names.split(' ') });

const MATRIX = shape(/^\d{1,3}(?:,\d{1,3}){63}$/, '64 numbers separated by commas');
const DISCS = 'vcd svcd dvd dv dv50';

const stream = { specifier: 'stream' } as const;
const metadata = { specifier: 'metadata' } as const;
const repeatable = { repeatable: true } as const;

/** The reviewed options. All other options are rejected. */
export const CLI_RULES: ReadonlyMap<string, CliRule> = new Map<string, CliRule>([
  ['c', { ...value({ takes: 'codec' }), ...stream }],
  ['b', { ...AS_ENCODER, ...stream }],
  ['q', { ...NUMBER, ...stream }],
  ['profile', { ...AS_ENCODER, ...stream }],
  ['frames', { ...wholeNumber(-1), ...stream }],
  [
    'tag',
    { ...shape(/^(?:[\w .-]{1,4}|\d+|0x[\da-f]{1,8})$/i, 'four characters such as "hvc1", or a number'), ...stream },
  ],
  ['bsf', { ...TEXT, ...stream }],
  ['filter', { ...TEXT, ...stream }],
  ['filter_complex', { ...TEXT, ...repeatable }],
  ['reinit_filter', { ...WHOLE, ...stream }],
  ['discard', { ...words('none default noref bidir nokey nointra all'), ...stream }],
  [
    'disposition',
    {
      ...flags(
        'default dub original comment lyrics karaoke forced hearing_impaired visual_impaired clean_effects ' +
          'attached_pic timed_thumbnails non_diegetic captions descriptions metadata dependent still_image multilayer',
      ),
      ...stream,
      ...repeatable,
    },
  ],

  ['t', LENGTH],
  ['to', LENGTH],
  ['ss', LENGTH],
  ['sseof', TIME],
  ['seek_timestamp', WHOLE],
  ['accurate_seek', SWITCH],
  ['noaccurate_seek', SWITCH],
  ['itsoffset', TIME],
  ['itsscale', { ...NUMBER, ...stream }],
  ['isync', WHOLE],
  ['stream_loop', wholeNumber(-1, INT_MAX)],
  ['thread_queue_size', COUNT],
  ['find_stream_info', SWITCH],
  ['nofind_stream_info', SWITCH],
  ['fs', wholeNumber(0)],
  ['timestamp', shape(/^(?:now|\d[\w:. +-]*)$/, '"now" or a date such as "2024-05-01T12:00:00Z"')],
  ['muxdelay', NUMBER],
  ['muxpreload', NUMBER],
  ['shortest', SWITCH],
  ['shortest_buf_duration', NUMBER],
  ['bitexact', SWITCH],
  ['copyts', SWITCH],
  ['start_at_zero', SWITCH],
  ['copytb', WHOLE],
  ['copyinkf', { ...SWITCH, ...stream }],
  ['copypriorss', { ...WHOLE, ...stream }],
  ['dts_delta_threshold', NUMBER],
  ['dts_error_threshold', NUMBER],
  ['max_error_rate', NUMBER],
  ['abort_on', flags('empty_output empty_output_stream')],
  ['xerror', SWITCH],
  ['ignore_unknown', SWITCH],
  ['copy_unknown', SWITCH],
  ['recast_media', SWITCH],
  ['auto_conversion_filters', SWITCH],
  ['noauto_conversion_filters', SWITCH],
  ['max_muxing_queue_size', { ...COUNT, ...stream }],
  ['muxing_queue_data_threshold', { ...COUNT, ...stream }],

  [
    'map',
    {
      ...shape(
        /^(?:-?(?:\d+(?::[^\0]+)?|:[^\0]+|[vVasdtu](?::[^\0]+)?|[ipm]:[^\0]+|#[^\0]+)\??|\[[^[\]]+\])$/,
        'a stream of an input such as "0:v:0" or "-0:s", or a label of "filter_complex" in brackets',
      ),
      ...repeatable,
    },
  ],
  ['map_channel', { ...shape(/^-?\d[-\d.:?]*$/, 'channels such as "0.1.0"'), ...repeatable }],
  ['map_chapters', WHOLE],
  [
    'map_metadata',
    { ...shape(/^-?\d+(?::(?:g|[cp](?::\d+)?|s(?::.+)?))?$/, 'an input such as "0", "0:s:0" or "-1"'), ...metadata },
  ],
  ['metadata', { ...shape(/^[^=]*=/s, 'a pair such as "title=My video"'), ...metadata, ...repeatable }],
  ['program', { ...TEXT, ...repeatable }],
  ['streamid', { ...shape(/^\d+:(?:\d+|0x[\da-f]+)$/i, 'a pair such as "0:33"'), ...repeatable }],
  [
    'target',
    words([DISCS, ...['pal', 'ntsc', 'film'].map((norm) => `${norm}-${DISCS.replaceAll(' ', ` ${norm}-`)}`)].join(' ')),
  ],

  ['vn', SWITCH],
  ['r', { ...RATE, ...stream }],
  ['fpsmax', { ...RATE, ...stream }],
  ['fps_mode', { ...words('auto passthrough cfr vfr drop'), ...stream }],
  ['vsync', words('passthrough cfr vfr drop -1 0 1 2')],
  ['force_fps', { ...SWITCH, ...stream }],
  ['s', { ...SIZE, ...stream }],
  ['aspect', { ...RATIO, ...stream }],
  ['pix_fmt', { ...value({ takes: 'pixel format' }), ...stream }],
  ['timecode', shape(/^\d\d:\d\d:\d\d[:;.]\d\d$/, 'a time code such as "01:00:00:00"')],
  ['force_key_frames', { ...value({ takes: 'key frames' }), ...stream }],
  ['rc_override', { ...NUMBERS, ...stream }],
  ['intra_matrix', { ...MATRIX, ...stream }],
  ['inter_matrix', { ...MATRIX, ...stream }],
  ['chroma_intra_matrix', { ...MATRIX, ...stream }],
  ['top', { ...WHOLE, ...stream }],
  ['bits_per_raw_sample', { ...COUNT, ...stream }],
  ['autorotate', { ...SWITCH, ...stream }],
  ['noautorotate', { ...SWITCH, ...stream }],
  ['autoscale', { ...SWITCH, ...stream }],
  ['noautoscale', { ...SWITCH, ...stream }],
  ['apply_cropping', { ...words('none all codec container 0 1 2 3'), ...stream }],
  ['display_rotation', { ...NUMBER, ...stream }],
  ['display_hflip', { ...SWITCH, ...stream }],
  ['display_vflip', { ...SWITCH, ...stream }],
  ['time_base', { ...RATIO, ...stream }],
  [
    'enc_time_base',
    {
      ...shape(/^(?:-1|0|demux|filter|\d+(?:\.\d+)?(?:[:/]\d+)?)$/, 'a ratio such as "1/25", "demux" or "filter"'),
      ...stream,
    },
  ],

  ['an', SWITCH],
  ['ar', { ...COUNT, ...stream }],
  ['ac', { ...wholeNumber(0, 1024), ...stream }],
  ['sample_fmt', { ...value({ takes: 'sample format' }), ...stream }],
  ['ch_layout', { ...value({ takes: 'channel layout' }), ...stream }],
  ['guess_layout_max', { ...COUNT, ...stream }],
  [
    'apad',
    {
      ...shape(/^(?:[a-z_]+=)?[\d.:]+(?::[a-z_]+=[\d.:]+)*$/, 'options of the filter apad such as "whole_dur=10"'),
      ...stream,
    },
  ],
  ['vol', WHOLE],

  ['sn', SWITCH],
  ['dn', SWITCH],
  ['fix_sub_duration', { ...SWITCH, ...stream }],
  ['canvas_size', { ...SIZE, ...stream }],
]);
