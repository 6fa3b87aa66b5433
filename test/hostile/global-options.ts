import { FATAL, type HostileRow, withOptions } from './row.ts';

/** Opening a file without reading it cannot be detected by its access time. */
const OPENED = 'it opens the file but reads nothing';
const DEVICE = 'the test machine has no such device, so nothing is opened';

/** 2. Global options. */
export const GLOBAL_OPTIONS: readonly HostileRow[] = [
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'a report in the working folder', { report: '' }),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'progress into a file', ({ folder }) => ({ progress: `${folder}/leak` })),
  withOptions('connects', 'OPTION_NOT_ALLOWED', 'progress to a TCP URL', ({ listener }) => ({
    progress: `tcp://${listener}`,
  })),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'video statistics in the working folder', { vstats: '', 'c:v': 'mpeg4' }),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'video statistics into a file', ({ folder }) => ({
    vstats_file: `${folder}/leak`,
    'c:v': 'mpeg4',
  })),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'a session description into a file',
    ({ folder }) => ({
      sdp_file: `${folder}/leak`,
      'c:v': 'mpeg4',
      an: '',
      f: 'rtp',
    }),
    {
      argv: ({ folder, listener }, input) => [
        '-i',
        input,
        '-an',
        '-sdp_file',
        `${folder}/leak`,
        '-f',
        'rtp',
        `rtp://${listener}`,
      ],
    },
  ),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a filtergraph from a file',
    ({ text }) => ({ filter_complex_script: text }),
    FATAL,
  ),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a filter of one stream from a file',
    ({ text }) => ({ 'filter_script:v': text }),
    FATAL,
  ),
  withOptions('reads', 'OPTION_NOT_ALLOWED', 'a VAAPI device at any path', ({ text }) => ({ vaapi_device: text }), {
    noEffectReason: OPENED,
  }),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a hardware device by type and path',
    ({ text }) => ({
      init_hw_device: `vaapi=x:${text}`,
    }),
    { noEffectReason: OPENED },
  ),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a hardware device for a decoder',
    ({ text }) => ({ hwaccel: 'vaapi', hwaccel_device: text }),
    {
      noEffectReason: OPENED,
      argv: ({ text }, input) => ['-y', '-hwaccel', 'vaapi', '-hwaccel_device', text, '-i', input, 'out/a.mkv'],
    },
  ),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a hardware device for filters',
    { filter_hw_device: 'x' },
    { noEffectReason: DEVICE },
  ),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a Quick Sync device',
    { qsv_device: '/dev/dri/renderD128' },
    { noEffectReason: DEVICE },
  ),
  ...['trace', '99'].map((level) =>
    withOptions(
      'floods',
      'OPTION_NOT_ALLOWED',
      `a verbose log: ${level}`,
      { loglevel: level },
      level === 'trace' ? {} : { variantOf: 'a verbose log: trace' },
    ),
  ),
  withOptions(
    'floods',
    'OPTION_NOT_ALLOWED',
    'a verbose log, by the short option',
    { v: 'trace' },
    { variantOf: 'a verbose log: trace' },
  ),
  withOptions('floods', 'OPTION_NOT_ALLOWED', 'every packet in the log', {
    dump: '',
    hex: '',
    'c:v': 'ffv1',
    s: '640x480',
  }),
  withOptions(
    'floods',
    'OPTION_NOT_ALLOWED',
    'every timestamp in the log',
    { debug_ts: '', t: '0.5', 'c:a': 'pcm_s16le', 'b:a': '1' },
    {
      noEffectReason: 'the movie is too short for many packets',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'the limit of one allocation raised',
    { max_alloc: '9999999999' },
    {
      noEffectReason: 'without other options it has no effect',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'the time limit raised',
    { timelimit: '999999' },
    {
      noEffectReason: 'without other options it has no effect',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'instructions that the processor lacks',
    { cpuflags: 'avx512' },
    {
      noEffectReason: 'ffmpeg ignores unsupported instructions, or exits',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'two thousand threads for filters',
    { filter_threads: '2000' },
    {
      noEffectReason: 'it would slow down the test machine',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'two thousand threads for complex filtergraphs',
    { filter_complex_threads: '2000' },
    {
      noEffectReason: 'it would slow down the test machine',
    },
  ),
  ...['h', 'help', 'version', 'formats', 'codecs', 'filters', 'devices', 'buildconf', 'L', 'protocols', 'pix_fmts'].map(
    (name) =>
      withOptions(
        'prints',
        'OPTION_NOT_ALLOWED',
        `information instead of a conversion: ${name}`,
        { [name]: '' },
        name === 'h' ? {} : { variantOf: 'information instead of a conversion: h' },
      ),
  ),
  withOptions('prints', 'OPTION_NOT_ALLOWED', 'a list of capture devices', { sources: 'pulse' }),
  withOptions('prints', 'OPTION_NOT_ALLOWED', 'a list of playback devices', { sinks: 'alsa' }),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'statistics of the encoder into a file',
    ({ folder }) => ({ stats_enc_post: `${folder}/leak` }),
    {
      since: '7.1',
      noEffectReason: 'the feature is new in ffmpeg 7.1',
    },
  ),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'statistics before the encoder into a file',
    ({ folder }) => ({ 'stats_enc_pre:v': `${folder}/leak` }),
    {
      since: '7.1',
      noEffectReason: 'the feature is new in ffmpeg 7.1',
    },
  ),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'statistics before the container into a file',
    ({ folder }) => ({ stats_mux_pre: `${folder}/leak` }),
    {
      since: '7.1',
      noEffectReason: 'the feature is new in ffmpeg 7.1',
    },
  ),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'the filtergraphs into a file',
    ({ folder }) => ({ print_graphs_file: `${folder}/leak` }),
    {
      since: '9.0',
      noEffectReason: 'the feature is new in ffmpeg 8',
    },
  ),
];
