import { FATAL, type HostileRow, withInput, withOptions } from './row.ts';

/** 3. Options of one file. */
export const FILE_OPTIONS: readonly HostileRow[] = [
  withOptions('reads', 'OPTION_NOT_ALLOWED', 'a file of the host attached to the output', ({ text }) => ({
    attach: text,
    'metadata:s:t': 'mimetype=text/plain',
  })),
  withInput(
    'writes',
    'OPTION_NOT_ALLOWED',
    'an attachment written to any path',
    ({ folder }) => ({
      input: 'movie.mkv',
      parameters: { 'dump_attachment:t': `${folder}/leak` },
    }),
    { noEffectReason: 'the movie has no attachment' },
  ),
  withOptions('writes', 'BAD_PASS', 'a first-pass log in the working folder', { 'c:v': 'libx264', pass: '1' }),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'a first-pass log at any path', ({ folder }) => ({
    'c:v': 'libx264',
    pass: '1',
    passlogfile: `${folder}/leak`,
  })),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'a first-pass log at any path, for one stream', ({ folder }) => ({
    'c:v': 'libx264',
    'pass:v': '1',
    'passlogfile:v': `${folder}/leak`,
  })),
  withOptions('reads', 'OPTION_NOT_ALLOWED', 'a preset from a file', ({ text }) => ({ fpre: text }), FATAL),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a preset whose name leaves the preset folder',
    ({ folder }) => ({
      'c:v': 'libx264',
      vpre: `../../../../../../../..${folder}/../private`,
    }),
    {
      noEffectReason: 'it reads only files that end in ".ffpreset"',
      argv: ({ text }, input) => ['-i', input, '-vpre', text, 'out/a.mkv'],
    },
  ),
  ...['apre', 'spre', 'pre'].map((name) =>
    withOptions(
      'reads',
      'OPTION_NOT_ALLOWED',
      `a preset by "${name}"`,
      { [name]: '../../x' },
      {
        noEffectReason: 'it reads only files that end in ".ffpreset"',
      },
    ),
  ),
  withOptions(
    'connects',
    'FORMAT_NOT_ALLOWED',
    'an output format that sends over the network',
    { f: 'rtp_mpegts' },
    {
      argv: ({ listener }, input) => ['-i', input, '-c', 'copy', '-f', 'rtp_mpegts', `rtp://${listener}`],
    },
  ),
  withInput(
    'reads',
    'UNKNOWN_FORMAT',
    'an input that is a filtergraph',
    () => ({ input: 'movie.mp4', parameters: { f: 'lavfi' } }),
    {
      argv: ({ movie }) => ['-y', '-f', 'lavfi', '-i', `movie=${movie}`, '-t', '0.2', 'out/a.mkv'],
    },
  ),
  withInput(
    'reads',
    'UNKNOWN_FORMAT',
    'an input read as a concat list',
    () => ({ input: 'movie.mp4', parameters: { f: 'concat' } }),
    {
      argv: ({ text }) => ['-y', '-f', 'concat', '-safe', '0', '-i', text, 'out/a.mkv'],
    },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'concat lists allowed to name any path',
    () => ({ input: 'movie.mp4', parameters: { safe: '0' } }),
    {
      noEffectReason: 'without other options it has no effect',
    },
  ),
  withInput(
    'connects',
    'OPTION_NOT_ALLOWED',
    'network protocols allowed for an input',
    () => ({
      input: 'movie.mp4',
      parameters: { protocol_whitelist: 'file,http,tcp' },
    }),
    {
      argv: ({ listener }) => [
        '-y',
        '-protocol_whitelist',
        'file,http,tcp',
        '-i',
        `http://${listener}/x.mp4`,
        'out/a.mkv',
      ],
    },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'playlist formats allowed for an input',
    () => ({
      input: 'movie.mp4',
      parameters: { format_whitelist: 'hls,mpegts' },
    }),
    { noEffectReason: 'the movie is not a playlist' },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'codecs of an input restricted',
    () => ({ input: 'movie.mp4', parameters: { codec_whitelist: 'h264' } }),
    {
      noEffectReason: 'it only rejects other codecs',
    },
  ),
  withOptions(
    'connects',
    'OPTION_NOT_ALLOWED',
    'network protocols allowed for the output',
    { protocol_whitelist: 'file,tcp' },
    {
      argv: ({ listener }, input) => [
        '-i',
        input,
        '-c',
        'copy',
        '-protocol_whitelist',
        'tcp',
        '-f',
        'mpegts',
        `tcp://${listener}`,
      ],
    },
  ),
  withOptions(
    'reads',
    'NO_SUCH_INPUT',
    'streams of an input that does not exist',
    { map: '1' },
    {
      noEffectReason: 'there is no such input',
    },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'external files that an MP4 refers to',
    () => ({
      input: 'movie.mp4',
      parameters: { enable_drefs: '1', use_absolute_path: '1' },
    }),
    { noEffectReason: 'the movie refers to no other file' },
  ),
  withInput(
    'reads',
    'OUTSIDE_ROOT',
    'a file name pattern that leaves the media root',
    () => ({
      input: '../host/*.srt',
      parameters: { pattern_type: 'glob' },
    }),
    {
      argv: ({ root }) => [
        '-y',
        '-f',
        'image2',
        '-pattern_type',
        'glob',
        '-i',
        `${root}/s*.ts`,
        '-t',
        '0.2',
        'out/a.mkv',
      ],
    },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'the picture file of VobSub subtitles at any path',
    ({ text }) => ({
      input: 'movie.mp4',
      parameters: { sub_name: text },
    }),
    { argv: ({ text }) => ['-f', 'vobsub', '-sub_name', text, '-i', text, 'out/a.mkv'] },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'the palette of subtitles from a file',
    ({ text }) => ({
      input: 'movie.mp4',
      parameters: { ifo_palette: text },
    }),
    { noEffectReason: 'the movie has no such subtitles' },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'an input that is a filtergraph, by the option graph',
    ({ movie }) => ({
      input: 'movie.mp4',
      parameters: { graph: `movie=${movie}` },
    }),
    { argv: ({ movie }) => ['-y', '-f', 'lavfi', '-graph', `movie=${movie}`, '-i', 'x', '-t', '0.2', 'out/a.mkv'] },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'an input that is a filtergraph, from a file',
    ({ text }) => ({
      input: 'movie.mp4',
      parameters: { graph_file: text },
    }),
    { argv: ({ text }) => ['-y', '-f', 'lavfi', '-graph_file', text, '-i', 'x', 'out/a.mkv'] },
  ),
  withInput(
    'connects',
    'OPTION_NOT_ALLOWED',
    'audio from a PulseAudio server',
    ({ listener }) => ({
      input: 'movie.mp4',
      parameters: { server: `tcp:${listener}` },
    }),
    { argv: ({ listener }) => ['-y', '-f', 'pulse', '-server', `tcp:${listener}`, '-i', 'default', 'out/a.mkv'] },
  ),
];
