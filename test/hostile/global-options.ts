import { FATAL, type HostileRow, withOptions } from './row.ts';

/** Opening alone leaves no trace that a test could see. */
const OPENED = 'it opens the file and reads nothing of it';
const DEVICE = 'there is no such device in a container, so nothing is opened';

/** 2. Options of the whole command. */
export const GLOBAL_OPTIONS: readonly HostileRow[] = [
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'a report beside the media', { report: '' }),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'progress into a file', ({ folder }) => ({ progress: `${folder}/leak` })),
  withOptions('connects', 'OPTION_NOT_ALLOWED', 'progress to an address', ({ listener }) => ({
    progress: `tcp://${listener}`,
  })),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'statistics in the working folder', { vstats: '', 'c:v': 'mpeg4' }),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'statistics into a file', ({ folder }) => ({
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
  withOptions('reads', 'OPTION_NOT_ALLOWED', 'a device by any path', ({ text }) => ({ vaapi_device: text }), {
    inert: OPENED,
  }),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a device by its kind and any path',
    ({ text }) => ({
      init_hw_device: `vaapi=x:${text}`,
    }),
    { inert: OPENED },
  ),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a device for a decoder',
    ({ text }) => ({ hwaccel: 'vaapi', hwaccel_device: text }),
    {
      inert: OPENED,
      argv: ({ text }, input) => ['-y', '-hwaccel', 'vaapi', '-hwaccel_device', text, '-i', input, 'out/a.mkv'],
    },
  ),
  withOptions('reads', 'OPTION_NOT_ALLOWED', 'a device for filters', { filter_hw_device: 'x' }, { inert: DEVICE }),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'another device',
    { qsv_device: '/dev/dri/renderD128' },
    { inert: DEVICE },
  ),
  ...['trace', '99'].map((level) =>
    withOptions(
      'floods',
      'OPTION_NOT_ALLOWED',
      `a log that tells all: ${level}`,
      { loglevel: level },
      level === 'trace' ? {} : { spells: 'a log that tells all: trace' },
    ),
  ),
  withOptions(
    'floods',
    'OPTION_NOT_ALLOWED',
    'a log that tells all, by its short name',
    { v: 'trace' },
    { spells: 'a log that tells all: trace' },
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
    'every time stamp in the log',
    { debug_ts: '', t: '0.5', 'c:a': 'pcm_s16le', 'b:a': '1' },
    {
      inert: 'so short a movie has few',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'the limit of one allocation lifted',
    { max_alloc: '9999999999' },
    {
      inert: 'alone it does nothing',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'the time limit lifted',
    { timelimit: '999999' },
    {
      inert: 'alone it does nothing',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'instructions that the processor lacks',
    { cpuflags: 'avx512' },
    {
      inert: 'ffmpeg ignores those that are not there, or ends',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'threads without end for filters',
    { filter_threads: '2000' },
    {
      inert: 'the machine of the tests is to stay responsive',
    },
  ),
  withOptions(
    'exhausts',
    'OPTION_NOT_ALLOWED',
    'threads without end for graphs',
    { filter_complex_threads: '2000' },
    {
      inert: 'the machine of the tests is to stay responsive',
    },
  ),
  ...['h', 'help', 'version', 'formats', 'codecs', 'filters', 'devices', 'buildconf', 'L', 'protocols', 'pix_fmts'].map(
    (name) =>
      withOptions(
        'answers',
        'OPTION_NOT_ALLOWED',
        `ffmpeg is asked: ${name}`,
        { [name]: '' },
        name === 'h' ? {} : { spells: 'ffmpeg is asked: h' },
      ),
  ),
  withOptions('answers', 'OPTION_NOT_ALLOWED', 'ffmpeg is asked for devices', { sources: 'pulse' }),
  withOptions('answers', 'OPTION_NOT_ALLOWED', 'ffmpeg is asked for sinks', { sinks: 'alsa' }),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'statistics of the encoder into a file',
    ({ folder }) => ({ stats_enc_post: `${folder}/leak` }),
    {
      since: '7.1',
      inert: 'ffmpeg 7.1 has it',
    },
  ),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'statistics before the encoder into a file',
    ({ folder }) => ({ 'stats_enc_pre:v': `${folder}/leak` }),
    {
      since: '7.1',
      inert: 'ffmpeg 7.1 has it',
    },
  ),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'statistics before the container into a file',
    ({ folder }) => ({ stats_mux_pre: `${folder}/leak` }),
    {
      since: '7.1',
      inert: 'ffmpeg 7.1 has it',
    },
  ),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'the graphs into a file',
    ({ folder }) => ({ print_graphs_file: `${folder}/leak` }),
    {
      since: '9.0',
      inert: 'ffmpeg 8 has it',
    },
  ),
];
