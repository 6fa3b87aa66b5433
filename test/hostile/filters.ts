import type { Canaries } from './canaries.ts';
import { type Effect, FATAL, type HostileRow, withOptions } from './row.ts';

/** Escapes colons for a filtergraph: once for the option value, once for the graph. */
const escaped = (value: string): string => value.replaceAll(':', '\\\\:');

type More = Parameters<typeof withOptions>[4];

const vf = (
  effect: Effect,
  code: string,
  title: string,
  graph: (canaries: Canaries) => string,
  more: More = {},
): HostileRow => withOptions(effect, code, title, (canaries) => ({ vf: graph(canaries) }), more);
const af = (
  effect: Effect,
  code: string,
  title: string,
  graph: (canaries: Canaries) => string,
  more: More = {},
): HostileRow => withOptions(effect, code, title, (canaries) => ({ af: graph(canaries) }), more);

const FILTER = 'FILTER_NOT_ALLOWED';
const NOT_INPUT = 'NOT_AN_INPUT';
const OPTION = 'OPTION_NOT_ALLOWED';

const overlay = (source: string): string => `${source}[m];[in][m]overlay`;

const MOVIE = { variantOf: 'movie=' } as const;

/** Ways to write the filter `movie`, some of which a text search does not find. */
const MOVIES: readonly HostileRow[] = [
  vf('reads', FILTER, 'movie=', ({ movie }) => overlay(`movie=${movie}`)),
  vf('reads', FILTER, 'movie= of a text file', () => 'movie=/etc/passwd', {
    noEffectReason: 'the file is not a canary',
  }),
  vf('reads', FILTER, 'movie= with a backslash in it', ({ movie }) => overlay(`m\\ovie=${movie}`), MOVIE),
  vf('reads', FILTER, 'movie= with quotes in it', ({ movie }) => overlay(`'mo'vie=${movie}`), MOVIE),
  vf('reads', FILTER, 'movie= with spaces around it', ({ movie }) => overlay(`  movie  = ${movie}`), MOVIE),
  vf('reads', FILTER, 'movie= with an instance name', ({ movie }) => overlay(`movie@x=${movie}`), MOVIE),
  vf(
    'reads',
    FILTER,
    'movie= with a backslash in the option name',
    ({ movie }) => overlay(`movie=f\\ilename=${movie}`),
    {
      noEffectReason: 'ffmpeg accepts no backslash in an option name',
    },
  ),
  vf('reads', FILTER, 'movie= after scaler flags', ({ movie }) => overlay(`sws_flags=bicubic;movie=${movie}`), {
    noEffectReason: 'ffmpeg accepts scaler flags before labels only in filter_complex',
  }),
  withOptions(
    'reads',
    FILTER,
    'movie= after scaler flags, in a graph of several inputs',
    ({ movie }) => ({
      filter_complex: `sws_flags=bicubic;movie=${movie}[m];[0:v][m]overlay[o]`,
      map: '[o]',
    }),
    MOVIE,
  ),
  withOptions(
    'reads',
    FILTER,
    'movie= by the alias lavfi',
    ({ movie }) => ({ lavfi: `movie=${movie}[o]`, map: '[o]' }),
    MOVIE,
  ),
  withOptions(
    'reads',
    FILTER,
    'movie= in the filter of one stream',
    ({ movie }) => ({
      'filter:v:0': overlay(`movie=${movie}`),
    }),
    MOVIE,
  ),
  withOptions(
    'reads',
    FILTER,
    'movie= in the second of two graphs',
    ({ movie }) => ({
      filter_complex: ['[0:v]null[a]', `movie=${movie}[b]`],
      map: ['[a]', '[b]'],
    }),
    MOVIE,
  ),
  withOptions('reads', FILTER, 'amovie= in a graph', ({ movie }) => ({
    filter_complex: `amovie=${movie}[a]`,
    map: '[a]',
  })),
  vf('reads', FILTER, 'movie= by a path through /proc', ({ movie }) => overlay(`movie=/proc/self/root${movie}`)),
  vf('reads', FILTER, 'movie= by a path that leaves the media root', ({ movie }) =>
    overlay(`movie=../../../../../../../../..${movie}`),
  ),
  vf('reads', FILTER, 'movie= of a sibling of the input', () => overlay('movie=sibling.ts')),
  vf(
    'connects',
    FILTER,
    'movie= of an HTTP URL',
    ({ listener }) => `movie=${escaped(`http://${listener}/x.mp4`)}`,
    FATAL,
  ),
  vf('connects', FILTER, 'movie= of a TCP URL', ({ listener }) => `movie=${escaped(`tcp://${listener}`)}`, FATAL),
  vf('connects', FILTER, 'movie= of a Unix socket', ({ socket }) => `movie=${escaped(`unix:${socket}`)}`, FATAL),
  vf('reads', FILTER, 'movie= by the concat protocol', ({ stream }) => overlay(`movie=${escaped(`concat:${stream}`)}`)),
];

/** Filters that read a file that is not an input of the request. */
const READING: readonly HostileRow[] = [
  vf('reads', NOT_INPUT, 'subtitles=', ({ text }) => `subtitles=${text}`),
  vf('reads', NOT_INPUT, 'subtitles= by option name, quoted', ({ text }) => `subtitles=filename='${text}'`, {
    variantOf: 'subtitles=',
  }),
  vf('reads', NOT_INPUT, 'subtitles= by short option name', ({ text }) => `subtitles=f=${text}`, {
    variantOf: 'subtitles=',
  }),
  vf('reads', NOT_INPUT, 'subtitles= of a sibling of the input', () => 'subtitles=sibling.srt'),
  vf(
    'connects',
    NOT_INPUT,
    'subtitles= of a TCP URL',
    ({ listener }) => `subtitles=${escaped(`tcp://${listener}`)}`,
    FATAL,
  ),
  vf(
    'reads',
    NOT_INPUT,
    'subtitles= with a font folder',
    ({ folder }) => `subtitles=sibling.srt:fontsdir=${folder}/..`,
  ),
  vf('reads', NOT_INPUT, 'ass=', ({ text }) => `ass=${text}`, FATAL),
  vf('reads', NOT_INPUT, 'drawtext= of a text file', ({ text }) => `drawtext=textfile=${text}`),
  vf('reads', NOT_INPUT, 'drawtext= with a font file', ({ text }) => `drawtext=text=x:fontfile=${text}`),
  vf('reads', NOT_INPUT, 'lut3d=', ({ text }) => `lut3d=${text}`, {
    noEffectReason: 'it reads only files with the extension of a LUT',
  }),
  vf('reads', NOT_INPUT, 'lut3d= with the extension of a LUT', ({ folder }) => `lut3d=${folder}/x.cube`, {
    noEffectReason: 'there is no such file',
  }),
  vf('reads', NOT_INPUT, 'lut1d=', ({ folder }) => `lut1d=${folder}/x.cube`, {
    noEffectReason: 'there is no such file',
  }),
  vf('reads', NOT_INPUT, 'removelogo=', ({ movie }) => `removelogo=${movie}`, FATAL),
  vf('reads', NOT_INPUT, 'find_rect=', ({ movie }) => `find_rect=${movie}`, FATAL),
  vf('reads', NOT_INPUT, 'cover_rect=', ({ movie }) => `cover_rect=cover=${movie}`, {
    noEffectReason: 'it reads the file only when it has found something to cover',
  }),
  vf('reads', NOT_INPUT, 'fieldhint=', ({ text }) => `fieldhint=${text}`, FATAL),
  vf('reads', NOT_INPUT, 'nnedi=', ({ text }) => `nnedi=${text}`, FATAL),
  vf('reads', NOT_INPUT, 'curves=', ({ text }) => `curves=psfile=${text}`, FATAL),
  vf('reads', NOT_INPUT, 'selectivecolor=', ({ text }) => `selectivecolor=psfile=${text}`, FATAL),
  af('reads', NOT_INPUT, 'arnndn=', ({ text }) => `arnndn=${text}`, FATAL),
  af('reads', NOT_INPUT, 'sofalizer=', ({ text }) => `sofalizer=${text}`, FATAL),
  withOptions('reads', NOT_INPUT, 'life= of a text file', ({ text }) => ({
    filter_complex: `life=f=${text}:s=100x100[o]`,
    map: '[o]',
  })),
  withOptions('reads', NOT_INPUT, 'cellauto= of a text file', ({ text }) => ({
    filter_complex: `cellauto=f=${text}[o]`,
    map: '[o]',
  })),
  withOptions(
    'reads',
    NOT_INPUT,
    'cellauto= of a text file, by position',
    ({ text }) => ({
      filter_complex: `cellauto=${text}[o]`,
      map: '[o]',
    }),
    { variantOf: 'cellauto= of a text file' },
  ),
  withOptions('reads', NOT_INPUT, 'flite= of a text file', ({ text }) => ({
    filter_complex: `flite=textfile=${text}[o]`,
    map: '[o]',
  })),
  af('reads', FILTER, 'asr= with a model', ({ text }) => `asr=hmm=${text}:dict=${text}:lm=${text}`, {
    noEffectReason: 'it needs the folder of a complete model',
  }),
  withOptions('reads', NOT_INPUT, 'showcqt= with a font file', ({ text }) => ({
    filter_complex: `[0:a]showcqt=fontfile=${text}[o]`,
    map: '[o]',
  })),
  withOptions('reads', NOT_INPUT, 'showcqt= with an axis file', ({ movie }) => ({
    filter_complex: `[0:a]showcqt=axisfile=${movie}[o]`,
    map: '[o]',
  })),
  vf('reads', FILTER, 'sr= with a model', ({ text }) => `sr=model=${text}`, FATAL),
  vf('reads', FILTER, 'derain= with a model', ({ text }) => `derain=model=${text}`, FATAL),
  vf(
    'reads',
    FILTER,
    'dnn_processing= with a model',
    ({ text }) => `dnn_processing=model=${text}:input=x:output=y`,
    FATAL,
  ),
  vf('reads', OPTION, 'vidstabtransform=', ({ text }) => `vidstabtransform=input=${text}`, FATAL),
  vf('reads', FILTER, 'sendcmd=', ({ text }) => `sendcmd=f=${text}`, FATAL),
  af('reads', FILTER, 'asendcmd=', ({ text }) => `asendcmd=f=${text}`, FATAL),
  vf(
    'reads',
    FILTER,
    'sendcmd= that sets a file of another filter',
    ({ text }) => `sendcmd=c='0.0 drawtext reinit fontfile=${text}',drawtext=text=x`,
  ),
];

/** Filters that write. */
const WRITING: readonly HostileRow[] = [
  vf('writes', OPTION, 'metadata= into a file', ({ folder }) => `metadata=print:file=${folder}/leak`),
  vf(
    'connects',
    OPTION,
    'metadata= to a TCP URL',
    ({ listener }) => `metadata=print:file=${escaped(`tcp://${listener}`)}`,
  ),
  af('writes', OPTION, 'ametadata= into a file', ({ folder }) => `ametadata=print:file=${folder}/leak`),
  ...['psnr', 'ssim'].map((name) =>
    withOptions('writes', OPTION, `${name}= into a file`, ({ folder }) => ({
      filter_complex: `[0:v]split[a][b];[a][b]${name}=stats_file=${folder}/leak[o]`,
      map: '[o]',
    })),
  ),
  vf('writes', OPTION, 'vmafmotion= into a file', ({ folder }) => `vmafmotion=stats_file=${folder}/leak`),
  vf('writes', OPTION, 'curves= with a plot file', ({ folder }) => `curves=preset=vintage:plot=${folder}/leak`),
  vf('writes', OPTION, 'deshake= into a file', ({ folder }) => `deshake=filename=${folder}/leak`),
  vf('writes', OPTION, 'vidstabdetect= into a file', ({ folder }) => `vidstabdetect=result=${folder}/leak`),
  vf('writes', FILTER, 'vidstabdetect= into the working folder', () => 'vidstabdetect'),
  withOptions('writes', FILTER, 'signature= into a file', ({ folder }) => ({
    t: '0.5',
    vf: `signature=filename=${folder}/leak`,
  })),
  af('writes', OPTION, 'firequalizer= with a dump file', ({ folder }) => `firequalizer=dumpfile=${folder}/leak`),
  af('writes', FILTER, 'asr= with a log file', ({ folder }) => `asr=logfn=${folder}/leak`, FATAL),
  withOptions('writes', OPTION, 'paletteuse= with a dump file', ({ folder }) => ({
    filter_complex: `[0:v]split[a][b];[b]palettegen[p];[a][p]paletteuse=debug_kdtree=${folder}/leak[o]`,
    map: '[o]',
  })),
];

const NO_FOLDER =
  'the plugin folder of frei0r is not on this machine; a row of the environment loads it by FREI0R_PATH';

/** Filters that listen or load. */
const OTHERS: readonly HostileRow[] = [
  vf('connects', FILTER, 'zmq= on a given address', ({ listener }) => `zmq=b=${escaped(`tcp://${listener}`)}`, {
    noEffectReason: 'it listens, and no test connects to it',
  }),
  af('connects', FILTER, 'azmq= on all addresses', () => 'azmq', {
    noEffectReason: 'it listens, and no test connects to it',
  }),
  af('loads', FILTER, 'ladspa= of a library', ({ library }) => `ladspa=file=${library}`, FATAL),
  af('loads', FILTER, 'ladspa= of a library with a plugin', ({ library }) => `ladspa=f=${library}:p=x`, FATAL),
  vf(
    'loads',
    FILTER,
    'frei0r= by a path that leaves the plugin folder',
    ({ library }) => `frei0r=../../../../../../../..${library.replace(/\.so$/, '')}`,
    { noEffectReason: NO_FOLDER },
  ),
  withOptions(
    'loads',
    FILTER,
    'frei0r_src= by a path that leaves the plugin folder',
    ({ library }) => ({
      filter_complex: `frei0r_src=64x64:10:../../../../../../../..${library.replace(/\.so$/, '')}[o]`,
      map: '[o]',
    }),
    { noEffectReason: NO_FOLDER },
  ),
  af('loads', FILTER, 'lv2= of a bundle', () => 'lv2=p=urn\\\\:x', {
    noEffectReason: 'it loads only installed plugins',
  }),
  vf('reads', 'NEEDS_DEVICE', 'hwupload=', () => 'hwupload', { noEffectReason: 'there is no device' }),
  vf('reads', FILTER, 'program_opencl= with a source file', ({ text }) => `program_opencl=source=${text}:kernel=x`, {
    noEffectReason: 'there is no device',
  }),
  vf('reads', FILTER, 'libplacebo= with a shader', ({ text }) => `libplacebo=custom_shader_path=${text}`, {
    noEffectReason: 'there is no device',
  }),
];

const EXPRESSION = 'BAD_EXPRESSION';
const LIKE_ENABLE = { slowVariantOf: 'an endless loop in enable' } as const;

/** Expressions that never end or write to the log. */
const ENDLESS: readonly HostileRow[] = [
  vf('hangs', EXPRESSION, 'an endless loop in enable', () => "drawbox=enable='while(1,1)'"),
  vf('hangs', EXPRESSION, 'an endless loop in select', () => "select='while(1,1)'", LIKE_ENABLE),
  vf('hangs', EXPRESSION, 'an endless loop in geq', () => "geq=lum='while(1,1)'", LIKE_ENABLE),
  vf(
    'hangs',
    EXPRESSION,
    'an endless loop with a space in the function name',
    () => "setpts='wh ile(1,1)'",
    LIKE_ENABLE,
  ),
  vf('hangs', EXPRESSION, 'an endless loop with text after the function name', () => "setpts='while+x(1,1)'", {
    variantOf: 'an endless loop in enable',
  }),
  vf('hangs', EXPRESSION, 'an endless loop in the text of drawtext', () => "drawtext=text='%{eif\\:while(1,1)\\:d}'", {
    variantOf: 'an endless loop in enable',
  }),
  vf(
    'hangs',
    EXPRESSION,
    'an endless loop as the number of a filter option',
    () => "unsharp=luma_amount='while(1,1)'",
    {
      slowVariantOf: 'an endless loop as the value of "g"',
    },
  ),
  af('hangs', EXPRESSION, 'an endless loop in aeval', () => "aeval='while(1,1)'", LIKE_ENABLE),
  af('hangs', EXPRESSION, 'an endless loop in volume', () => "volume='while(1,1)':eval=frame", LIKE_ENABLE),
  vf('hangs', EXPRESSION, 'nested loops by root', () => "setpts='root(root(root(root(1,9),9),9),9)'", {
    variantOf: 'an endless loop in enable',
  }),
  vf('hangs', EXPRESSION, 'nested loops by taylor', () => "setpts='taylor(taylor(taylor(taylor(1,1),1),1),1)'", {
    noEffectReason: 'it stops when the sum does not change any more',
  }),
  vf('floods', EXPRESSION, 'an expression that writes to the log', () => "scale=32:32,geq=lum='print(1)+print(2)'"),
  vf(
    'exhausts',
    EXPRESSION,
    'five thousand nested parentheses',
    () => `setpts='${'('.repeat(5000)}1${')'.repeat(5000)}'`,
    {
      noEffectReason: 'ffmpeg rejects more than a hundred',
    },
  ),
];

/** A letter before `:\` is the drive of a path for the checks alone: the backslash escapes nothing, and the colon ends a value. */
const DRIVES: readonly HostileRow[] = [
  vf('reads', NOT_INPUT, 'drawtext= of a text file after a drive', ({ text }) => `drawtext=font=a:\\textfile=${text}`),
  vf(
    'writes',
    OPTION,
    'metadata= into a file after a drive',
    ({ folder }) => `metadata=print:value=a:\\file=${folder}/leak`,
    {
      variantOf: 'metadata= into a file',
    },
  ),
  af(
    'writes',
    OPTION,
    'ametadata= into a file after a drive',
    ({ folder }) => `ametadata=print:value=a:\\file=${folder}/leak`,
    {
      variantOf: 'ametadata= into a file',
    },
  ),
  vf(
    'hangs',
    EXPRESSION,
    'an endless loop after a drive',
    () => "drawtext=text=hi:font=a:\\x='while(1,1)'",
    LIKE_ENABLE,
  ),
];

/** Malformed graphs, and graphs that ffmpeg parses differently than a reader expects. */
const MALFORMED: readonly HostileRow[] = [
  vf('reads', 'BAD_FILTERGRAPH', 'a quote that is never closed', ({ movie }) => `drawtext=text='x,movie=${movie}`, {
    noEffectReason: 'ffmpeg treats the rest as text',
  }),
  vf('reads', 'BAD_FILTERGRAPH', 'a backslash at the end', () => 'null\\', { noEffectReason: 'ffmpeg drops it' }),
  vf('reads', 'BAD_FILTERGRAPH', 'a filter in the scaler flags', ({ movie }) => `sws_flags=a\\;movie=${movie};null`, {
    noEffectReason: 'ffmpeg treats it as flags',
  }),
  withOptions(
    'reads',
    'NO_SUCH_INPUT',
    'a label of an input that does not exist',
    { filter_complex: '[7:v]null[o]', map: '[o]' },
    {
      noEffectReason: 'there is no such input',
    },
  ),
  withOptions(
    'exhausts',
    'BAD_FILTERGRAPH',
    'a graph of two thousand filters',
    {
      vf: Array(2000).fill('null').join(','),
    },
    { noEffectReason: 'it only takes long to parse' },
  ),
];

/** 4. Filters. */
export const FILTER_ROWS: readonly HostileRow[] = [
  ...MOVIES,
  ...READING,
  ...WRITING,
  ...OTHERS,
  ...ENDLESS,
  ...DRIVES,
  ...MALFORMED,
];
