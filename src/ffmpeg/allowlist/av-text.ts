/**
 * What the AVOptions of codecs and containers hold whose value is text (string, binary, dictionary). ffmpeg has no type
 * for paths, so every one was looked at, in 5.1 to 9.0, and what is not here is refused: it names files or addresses,
 * sets what the service sets, or was not looked at.
 */
export type AvText =
  /** Words and numbers with what separates them; no slash, backslash or quote, so no path and no call. */
  | 'words'
  /** Written into the output as it is. */
  | 'text'
  /** Put before or between the names in a playlist; nobody opens it here. */
  | 'link'
  /** ffmpeg evaluates it. */
  | 'expression'
  /** Parameters of an encoder's library, checked key by key; see `encoder-keys/`. */
  | 'keys'
  /** Options of the container of segments. */
  | 'nested'
  /** The container of segments. */
  | 'format';

const each = (kind: AvText, names: string): [string, AvText][] => names.split(' ').map((name) => [name, kind]);

const AV_TEXT: ReadonlyMap<string, AvText> = new Map([
  ...each(
    'words',
    'preset tune profile level partitions deblock psy-rd wpredp gop_timecode vendor brand name encryption_scheme hash ' +
      'segment_times segment_frames reference_stream adaptation_sets cc_stream_map var_stream_map framerate video_size ' +
      'pixel_format sub_charenc txt_page layer layer_rates palette ts-parameters rav1e-params creation_time ' +
      'override_time_code_rate boundary_tag encryption_key encryption_kid decryption_key decryption_keys ' +
      'cenc_decryption_key cenc_decryption_keys activation_bytes audible_fixed_key audible_key audible_iv aa_fixed_key ' +
      'cryptokey password',
  ),
  ...each('text', 'creation_program'),
  ...each('link', 'hls_base_url segment_list_entry_prefix utc_timing_url'),
  ...each('expression', 'rc_eq'),
  ...each('keys', 'x264-params x264opts x265-params svtav1-params aom-params'),
  ...each('nested', 'hls_segment_options segment_format_options format_options hls_ts_options'),
  ...each('format', 'segment_format'),
]);

const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'binary', 'dictionary']);

/** Whether options of this type hold text of any kind. */
export const isTextType = (type: string): boolean => TEXT_TYPES.has(type);

/** undefined: not to be sent. */
export const avText = (name: string): AvText | undefined => AV_TEXT.get(name);

/** Functions that `rc_eq` brings along (ratecontrol.c). */
export const RATE_FUNCTIONS: ReadonlySet<string> = new Set(['bits2qp', 'qp2bits']);

/** What may be set of the container of segments: numbers and flags. */
export const NESTED_OPTIONS: ReadonlySet<string> = new Set(
  (
    'movflags mpegts_flags mpegts_service_id mpegts_service_type mpegts_transport_stream_id mpegts_start_pid ' +
    'mpegts_pmt_start_pid mpegts_original_network_id mpegts_m2ts_mode mpegts_copyts tables_version pat_period ' +
    'sdt_period nit_period pcr_period pes_payload_size omit_video_pes_length resend_headers muxrate flush_packets ' +
    'fflags brand use_editlist write_tmcd write_prft frag_duration min_frag_duration frag_size avoid_negative_ts ' +
    'max_delay live cluster_size_limit cluster_time_limit video_track_timescale id3v2_version write_id3v2'
  ).split(' '),
);
