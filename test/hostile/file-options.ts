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
    { inert: 'the movie has no attachment; the next row has' },
  ),
  withOptions('writes', 'BAD_PASS', 'the log of a first pass in the working folder', { 'c:v': 'libx264', pass: '1' }),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'the log of a first pass anywhere', ({ folder }) => ({
    'c:v': 'libx264',
    pass: '1',
    passlogfile: `${folder}/leak`,
  })),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'the log of a first pass anywhere, of one stream', ({ folder }) => ({
    'c:v': 'libx264',
    'pass:v': '1',
    'passlogfile:v': `${folder}/leak`,
  })),
  withOptions('reads', 'OPTION_NOT_ALLOWED', 'a preset from a file', ({ text }) => ({ fpre: text }), FATAL),
  withOptions(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a preset by a name that leaves its folder',
    ({ folder }) => ({
      'c:v': 'libx264',
      vpre: `../../../../../../../..${folder}/../private`,
    }),
    {
      inert: 'it takes files that end on ".ffpreset" only',
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
        inert: 'it takes files that end on ".ffpreset" only',
      },
    ),
  ),
  withOptions(
    'connects',
    'FORMAT_NOT_ALLOWED',
    'an output format that sends',
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
    'an input that is a list of files',
    () => ({ input: 'movie.mp4', parameters: { f: 'concat' } }),
    {
      argv: ({ text }) => ['-y', '-f', 'concat', '-safe', '0', '-i', text, 'out/a.mkv'],
    },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'lists of files let go anywhere',
    () => ({ input: 'movie.mp4', parameters: { safe: '0' } }),
    {
      inert: 'alone it does nothing',
    },
  ),
  withInput(
    'connects',
    'OPTION_NOT_ALLOWED',
    'all protocols let in',
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
    'all formats let in',
    () => ({
      input: 'movie.mp4',
      parameters: { format_whitelist: 'hls,mpegts' },
    }),
    { inert: 'the next rows have a playlist' },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'all codecs let in',
    () => ({ input: 'movie.mp4', parameters: { codec_whitelist: 'h264' } }),
    {
      inert: 'alone it only refuses',
    },
  ),
  withOptions(
    'connects',
    'OPTION_NOT_ALLOWED',
    'all protocols let in for the output',
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
    'streams of an input that nobody named',
    { map: '1' },
    {
      inert: 'there is none',
    },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'files that a movie names',
    () => ({
      input: 'movie.mp4',
      parameters: { enable_drefs: '1', use_absolute_path: '1' },
    }),
    { inert: 'the movie names none' },
  ),
  withInput(
    'reads',
    'OUTSIDE_ROOT',
    'pictures by a pattern that leaves the root',
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
    'the picture of subtitles beside them',
    ({ text }) => ({
      input: 'movie.mp4',
      parameters: { sub_name: text },
    }),
    { argv: ({ text }) => ['-f', 'vobsub', '-sub_name', text, '-i', text, 'out/a.mkv'] },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'the colours of subtitles from a file',
    ({ text }) => ({
      input: 'movie.mp4',
      parameters: { ifo_palette: text },
    }),
    { inert: 'the movie has no such subtitles' },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a filtergraph as the text of an input',
    ({ movie }) => ({
      input: 'movie.mp4',
      parameters: { graph: `movie=${movie}` },
    }),
    { argv: ({ movie }) => ['-y', '-f', 'lavfi', '-graph', `movie=${movie}`, '-i', 'x', '-t', '0.2', 'out/a.mkv'] },
  ),
  withInput(
    'reads',
    'OPTION_NOT_ALLOWED',
    'a filtergraph as the file of an input',
    ({ text }) => ({
      input: 'movie.mp4',
      parameters: { graph_file: text },
    }),
    { argv: ({ text }) => ['-y', '-f', 'lavfi', '-graph_file', text, '-i', 'x', 'out/a.mkv'] },
  ),
  withInput(
    'connects',
    'OPTION_NOT_ALLOWED',
    'a name for another server’s sound',
    ({ listener }) => ({
      input: 'movie.mp4',
      parameters: { server: `tcp:${listener}` },
    }),
    { argv: ({ listener }) => ['-y', '-f', 'pulse', '-server', `tcp:${listener}`, '-i', 'default', 'out/a.mkv'] },
  ),
];
