import { wordSet } from './words.ts';

/**
 * The kind of text that an AVOption of a codec or container accepts, for AVOptions of type string, binary or dictionary. ffmpeg has no type
 * for paths, so a string option may name a file or a URL. Each option here was reviewed (ffmpeg 5.1 to 9.0). All other text options are
 * rejected.
 */
type AvText =
  /** Words, numbers and separators: neither a path nor a function call. */
  | 'words'
  /** A key, or a list of keys, in hexadecimal digits. */
  | 'key'
  /** Any text. ffmpeg writes it into the output. */
  | 'text'
  /** A URL or a prefix that ffmpeg writes into a playlist or manifest. Neither ffmpeg nor the service opens it. */
  | 'link'
  /** An expression that ffmpeg evaluates. */
  | 'expression'
  /** `name=value` pairs for an encoder library. `encoder-params/` checks each pair. */
  | 'params'
  /** A list of options for the muxer that writes the segments of HLS and `segment`. */
  | 'nested'
  /** The name of the muxer that writes the segments. */
  | 'format';

const each = (kind: AvText, names: string): [string, AvText][] => names.split(' ').map((name) => [name, kind]);

const AV_TEXT: ReadonlyMap<string, AvText> = new Map([
  ...each(
    'words',
    'preset tune profile level partitions deblock psy-rd wpredp gop_timecode vendor brand name encryption_scheme hash ' +
      'segment_times segment_frames reference_stream adaptation_sets cc_stream_map var_stream_map framerate video_size ' +
      'pixel_format sub_charenc txt_page layer layer_rates palette ts-parameters rav1e-params creation_time ' +
      'override_time_code_rate boundary_tag password',
  ),
  ...each(
    'key',
    'encryption_key encryption_kid decryption_key decryption_keys cenc_decryption_key cenc_decryption_keys ' +
      'activation_bytes audible_fixed_key audible_key audible_iv aa_fixed_key cryptokey',
  ),
  ...each('text', 'creation_program'),
  ...each('link', 'hls_base_url segment_list_entry_prefix utc_timing_url'),
  ...each('expression', 'rc_eq'),
  ...each('params', 'x264-params x264opts x265-params svtav1-params aom-params'),
  ...each('nested', 'hls_segment_options segment_format_options format_options hls_ts_options'),
  ...each('format', 'segment_format'),
]);

const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'binary', 'dictionary']);

/** True if an AVOption of this type takes text. `avText` then says which text is allowed. */
export const isTextType = (type: string): boolean => TEXT_TYPES.has(type);

/** Returns the kind of text that an option accepts. undefined: the option is not allowed. */
export const avText = (name: string): AvText | undefined => AV_TEXT.get(name);

/** The functions that only the expression of `rc_eq` may call (ratecontrol.c). */
export const RATE_FUNCTIONS: ReadonlySet<string> = new Set(['bits2qp', 'qp2bits']);

/** The options that a request may set for the muxer of segments. None of them names a file. */
export const NESTED_OPTIONS = wordSet(
  'movflags mpegts_flags mpegts_service_id mpegts_service_type mpegts_transport_stream_id mpegts_start_pid ' +
    'mpegts_pmt_start_pid mpegts_original_network_id mpegts_m2ts_mode mpegts_copyts tables_version pat_period ' +
    'sdt_period nit_period pcr_period pes_payload_size omit_video_pes_length resend_headers muxrate flush_packets ' +
    'fflags brand use_editlist write_tmcd write_prft frag_duration min_frag_duration frag_size avoid_negative_ts ' +
    'max_delay live cluster_size_limit cluster_time_limit video_track_timescale id3v2_version write_id3v2',
);

/** The allowed text options of bitstream filters. None of them names a file. */
export const BSF_TEXT: ReadonlyMap<string, 'expression' | 'words' | 'text'> = new Map([
  ['setts.ts', 'expression'],
  ['setts.pts', 'expression'],
  ['setts.dts', 'expression'],
  ['setts.duration', 'expression'],
  ['noise.amount', 'expression'],
  ['noise.drop', 'expression'],
  ['filter_units.pass_types', 'words'],
  ['filter_units.remove_types', 'words'],
  ['h264_metadata.sei_user_data', 'text'],
]);
