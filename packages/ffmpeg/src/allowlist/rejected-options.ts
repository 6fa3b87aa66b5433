/** Why an option of ffmpeg is not allowed. */
interface RejectionReason {
  /** The end of a message that starts with the option: "opens hardware devices". */
  readonly why: string;
  /** The code of the error. Default: `OPTION_NOT_ALLOWED`. */
  readonly code?: 'NEEDS_DEVICE';
}

const of = (names: string, why: string): [string, RejectionReason][] => names.split(' ').map((name) => [name, { why }]);

const INFORMATION = 'prints information about ffmpeg and converts nothing';
const SERVICE = 'is set by the service itself';

const ON_DEVICE: RejectionReason = {
  why: 'decodes on a hardware device, and the operator has allowed none',
  code: 'NEEDS_DEVICE',
};

/** Options that are rejected with a reason. Any other option that is not allowed gets a message without a reason. */
const REJECTED: ReadonlyMap<string, RejectionReason> = new Map([
  ...of('i', 'names an input, which is "input" or one of "inputs" beside "parameters"'),
  ...of('n', 'is a flag and takes no value'),
  ...of('dec', 'decodes an output of the same command again, which needs a second request'),
  ...of(
    'passlogfile protocol_whitelist protocol_blacklist format_whitelist codec_whitelist max_alloc max_pixels timelimit cpuflags cpucount ' +
      'filter_threads filter_complex_threads stdin nostdin progress stats_period',
    SERVICE,
  ),
  ...of(
    'loglevel v stats nostats hide_banner report benchmark benchmark_all debug_ts dump hex psnr qphist debug fdebug ' +
      'vstats vstats_file vstats_version print_graphs print_graphs_file print_graphs_format dump_separator',
    'changes what ffmpeg logs, and the service reads that log',
  ),
  ...of('filter_script filter_complex_script', 'reads a file of the host: "filter_complex" and "vf" take the graph'),
  ...of('async', 'belongs to the filter "aresample", as "aresample=async=1" in "af"'),
  ...of('attach', 'reads a file that is not an input'),
  ...of(
    'dump_attachment fpre pre vpre apre spre sdp_file stats_enc_pre ' +
      'stats_enc_post stats_mux_pre stats_enc_pre_fmt stats_enc_post_fmt stats_mux_pre_fmt',
    'reads or writes files other than the inputs and the output',
  ),
  ...of(
    'init_hw_device filter_hw_device vaapi_device qsv_device hwaccel_device device window_id',
    'opens hardware devices, and the service does that itself where the operator allows it',
  ),
  ...of('hwaccels', INFORMATION),
  ['hwaccel', ON_DEVICE],
  ['hwaccel_output_format', ON_DEVICE],
  ...of(
    'hls_enc hls_enc_key hls_enc_key_url hls_enc_iv hls_key_info_file',
    'writes playlists with a key path inside the service, or reads files that name other files: "encrypt" beside "parameters" makes the key',
  ),
  ...of('omx_libname omx_libprefix load_plugin load_plugins', 'loads program code'),
  ...of('enable_drefs use_absolute_path safe', 'lets a media file name other files'),
  ...of(
    'http_proxy reconnect cookies referer post_data ca_file cert_file key_file private_key',
    'controls how URLs are opened, but a conversion reads and writes only files',
  ),
  ...of('re readrate readrate_initial_burst readrate_catchup', 'slows the conversion down to playback speed'),
  ...of(
    'h help ? version buildconf formats muxers demuxers devices codecs decoders encoders bsfs protocols filters ' +
      'pix_fmts layouts sample_fmts dispositions colors sources sinks L',
    INFORMATION,
  ),
]);

export const rejectionReasonOf = (name: string): RejectionReason | undefined => REJECTED.get(name);

/** True if ffmpeg prints something for the option and converts nothing. */
export const isInformation = (name: string): boolean => REJECTED.get(name)?.why === INFORMATION;

/**
 * Log levels up to `info`, the level that the service uses, with optional flags in front. A higher level is rejected instead of dropped, so
 * that the client learns that it will not see more of the log.
 */
const LOG_LEVEL = /^(?:(?:repeat|level|time|datetime)\+)*(?:quiet|panic|fatal|error|warning|info|-8|0|8|16|24|32)$/;
const FLAG = /^(?:true|false)?$/;

/**
 * Options that are dropped with a warning if they have one of these values. Such options do not change the output; clients copy them from
 * command lines. Do not add an option that uses a file, or that prints information instead of converting.
 */
const DROPPED: ReadonlyMap<string, RegExp> = new Map([
  ...['hide_banner', 'stats', 'nostats', 'nostdin', 'n'].map((name): [string, RegExp] => [name, FLAG]),
  ['loglevel', LOG_LEVEL],
  ['v', LOG_LEVEL],
  ['stats_period', /^\d+(?:\.\d+)?$/],
]);

export const isDropped = (name: string, specifier: string | undefined, value: unknown): boolean =>
  specifier === undefined && typeof value === 'string' && DROPPED.get(name)?.test(value) === true;
