import type { Canaries } from './canaries.ts';
import { type Effect, FATAL, type HostileRow, withOptions } from './row.ts';

/** In a filtergraph the colons of a value are escaped twice: for the option, and for the graph. */
const escaped = (value: string): string => value.replaceAll(':', '\\\\:');

type More = Parameters<typeof withOptions>[4];

const vf = (
  effect: Effect,
  code: string,
  title: string,
  graph: (bait: Canaries) => string,
  more: More = {},
): HostileRow => withOptions(effect, code, title, (bait) => ({ vf: graph(bait) }), more);
const af = (
  effect: Effect,
  code: string,
  title: string,
  graph: (bait: Canaries) => string,
  more: More = {},
): HostileRow => withOptions(effect, code, title, (bait) => ({ af: graph(bait) }), more);

const NO = 'FILTER_NOT_ALLOWED';
const NOT_IN = 'NOT_AN_INPUT';
const TEXT = 'OPTION_NOT_ALLOWED';

const overlay = (source: string): string => `${source}[m];[in][m]overlay`;

const MOVIE = { spells: 'movie=' } as const;

/** Ways to write `movie` that a search for the word does not find. */
const MOVIES: readonly HostileRow[] = [
  vf('reads', NO, 'movie=', ({ movie }) => overlay(`movie=${movie}`)),
  vf('reads', NO, 'movie= of a text', () => 'movie=/etc/passwd', { inert: 'that file is outside of the bait' }),
  vf('reads', NO, 'movie= with a backslash in it', ({ movie }) => overlay(`m\\ovie=${movie}`), MOVIE),
  vf('reads', NO, 'movie= with quotes in it', ({ movie }) => overlay(`'mo'vie=${movie}`), MOVIE),
  vf('reads', NO, 'movie= behind spaces', ({ movie }) => overlay(`  movie  = ${movie}`), MOVIE),
  vf('reads', NO, 'movie= with a name of its own', ({ movie }) => overlay(`movie@x=${movie}`), MOVIE),
  vf('reads', NO, 'movie= by its option’s name, quoted', ({ movie }) => overlay(`movie=f\\ilename=${movie}`), {
    inert: 'ffmpeg takes no backslash in a key',
  }),
  vf('reads', NO, 'movie= behind flags of the scaler', ({ movie }) => overlay(`sws_flags=bicubic;movie=${movie}`), {
    inert: 'ffmpeg takes such flags before labels only in graphs of several inputs',
  }),
  withOptions(
    'reads',
    NO,
    'movie= behind flags of the scaler, in a graph',
    ({ movie }) => ({
      filter_complex: `sws_flags=bicubic;movie=${movie}[m];[0:v][m]overlay[o]`,
      map: '[o]',
    }),
    MOVIE,
  ),
  withOptions(
    'reads',
    NO,
    'movie= by the alias lavfi',
    ({ movie }) => ({ lavfi: `movie=${movie}[o]`, map: '[o]' }),
    MOVIE,
  ),
  withOptions(
    'reads',
    NO,
    'movie= by the name of one stream’s filter',
    ({ movie }) => ({
      'filter:v:0': overlay(`movie=${movie}`),
    }),
    MOVIE,
  ),
  withOptions(
    'reads',
    NO,
    'movie= in the second of two graphs',
    ({ movie }) => ({
      filter_complex: ['[0:v]null[a]', `movie=${movie}[b]`],
      map: ['[a]', '[b]'],
    }),
    MOVIE,
  ),
  withOptions('reads', NO, 'amovie= in a graph', ({ movie }) => ({ filter_complex: `amovie=${movie}[a]`, map: '[a]' })),
  vf('reads', NO, 'movie= by way of /proc', ({ movie }) => overlay(`movie=/proc/self/root${movie}`)),
  vf('reads', NO, 'movie= by the way up', ({ movie }) => overlay(`movie=../../../../../../../../..${movie}`)),
  vf('reads', NO, 'movie= of a file beside the input', () => overlay('movie=sibling.ts')),
  vf('connects', NO, 'movie= of an address', ({ listener }) => `movie=${escaped(`http://${listener}/x.mp4`)}`, FATAL),
  vf('connects', NO, 'movie= of a port', ({ listener }) => `movie=${escaped(`tcp://${listener}`)}`, FATAL),
  vf(
    'connects',
    NO,
    'movie= of a socket in the file system',
    ({ socket }) => `movie=${escaped(`unix:${socket}`)}`,
    FATAL,
  ),
  vf('reads', NO, 'movie= by a protocol', ({ stream }) => overlay(`movie=${escaped(`concat:${stream}`)}`)),
];

/** Filters that read a file that is none of the request's inputs. */
const READING: readonly HostileRow[] = [
  vf('reads', NOT_IN, 'subtitles=', ({ text }) => `subtitles=${text}`),
  vf('reads', NOT_IN, 'subtitles= by name, quoted', ({ text }) => `subtitles=filename='${text}'`, {
    spells: 'subtitles=',
  }),
  vf('reads', NOT_IN, 'subtitles= by its short name', ({ text }) => `subtitles=f=${text}`, { spells: 'subtitles=' }),
  vf('reads', NOT_IN, 'subtitles= of a file beside the input', () => 'subtitles=sibling.srt'),
  vf(
    'connects',
    NOT_IN,
    'subtitles= of an address',
    ({ listener }) => `subtitles=${escaped(`tcp://${listener}`)}`,
    FATAL,
  ),
  vf('reads', TEXT, 'fonts of a whole folder', ({ folder }) => `subtitles=sibling.srt:fontsdir=${folder}/..`),
  vf('reads', NOT_IN, 'ass=', ({ text }) => `ass=${text}`, FATAL),
  vf('reads', NOT_IN, 'drawtext= of a text', ({ text }) => `drawtext=textfile=${text}`),
  vf('reads', NOT_IN, 'drawtext= with a font', ({ text }) => `drawtext=text=x:fontfile=${text}`),
  vf('reads', NOT_IN, 'lut3d=', ({ text }) => `lut3d=${text}`, { inert: 'it goes by the extension' }),
  vf('reads', NOT_IN, 'lut3d= by its extension', ({ folder }) => `lut3d=${folder}/x.cube`, { inert: 'there is none' }),
  vf('reads', NOT_IN, 'lut1d=', ({ folder }) => `lut1d=${folder}/x.cube`, { inert: 'there is none' }),
  vf('reads', NOT_IN, 'removelogo=', ({ movie }) => `removelogo=${movie}`, FATAL),
  vf('reads', NOT_IN, 'find_rect=', ({ movie }) => `find_rect=${movie}`, FATAL),
  vf('reads', NOT_IN, 'cover_rect=', ({ movie }) => `cover_rect=cover=${movie}`, {
    inert: 'it reads once it has found something to cover',
  }),
  vf('reads', NOT_IN, 'fieldhint=', ({ text }) => `fieldhint=${text}`, FATAL),
  vf('reads', NOT_IN, 'nnedi=', ({ text }) => `nnedi=${text}`, FATAL),
  vf('reads', NOT_IN, 'curves=', ({ text }) => `curves=psfile=${text}`, FATAL),
  vf('reads', NOT_IN, 'selectivecolor=', ({ text }) => `selectivecolor=psfile=${text}`, FATAL),
  af('reads', NOT_IN, 'arnndn=', ({ text }) => `arnndn=${text}`, FATAL),
  af('reads', NOT_IN, 'sofalizer=', ({ text }) => `sofalizer=${text}`, FATAL),
  withOptions('reads', TEXT, 'life= of a text', ({ text }) => ({
    filter_complex: `life=f=${text}:s=100x100[o]`,
    map: '[o]',
  })),
  withOptions('reads', TEXT, 'cellauto= of a text', ({ text }) => ({
    filter_complex: `cellauto=f=${text}[o]`,
    map: '[o]',
  })),
  withOptions(
    'reads',
    TEXT,
    'cellauto= of a text, by position',
    ({ text }) => ({
      filter_complex: `cellauto=${text}[o]`,
      map: '[o]',
    }),
    { spells: 'cellauto= of a text' },
  ),
  withOptions('reads', NO, 'flite= of a text', ({ text }) => ({
    filter_complex: `flite=textfile=${text}[o]`,
    map: '[o]',
  })),
  af('reads', NO, 'asr= with a model', ({ text }) => `asr=hmm=${text}:dict=${text}:lm=${text}`, {
    inert: 'it looks for whole models in a folder',
  }),
  withOptions('reads', TEXT, 'showcqt= with a font', ({ text }) => ({
    filter_complex: `[0:a]showcqt=fontfile=${text}[o]`,
    map: '[o]',
  })),
  withOptions('reads', TEXT, 'showcqt= with an axis', ({ movie }) => ({
    filter_complex: `[0:a]showcqt=axisfile=${movie}[o]`,
    map: '[o]',
  })),
  vf('reads', NO, 'sr= with a model', ({ text }) => `sr=model=${text}`, FATAL),
  vf('reads', NO, 'derain= with a model', ({ text }) => `derain=model=${text}`, FATAL),
  vf('reads', NO, 'dnn_processing= with a model', ({ text }) => `dnn_processing=model=${text}:input=x:output=y`, FATAL),
  vf('reads', NO, 'vidstabtransform=', ({ text }) => `vidstabtransform=input=${text}`, FATAL),
  vf('reads', NO, 'sendcmd=', ({ text }) => `sendcmd=f=${text}`, FATAL),
  af('reads', NO, 'asendcmd=', ({ text }) => `asendcmd=f=${text}`, FATAL),
  vf(
    'reads',
    NO,
    'sendcmd= that gives another filter its file',
    ({ text }) => `sendcmd=c='0.0 drawtext reinit fontfile=${text}',drawtext=text=x`,
  ),
];

/** Filters that write. */
const WRITING: readonly HostileRow[] = [
  vf('writes', TEXT, 'metadata= into a file', ({ folder }) => `metadata=print:file=${folder}/leak`),
  vf('connects', TEXT, 'metadata= to a port', ({ listener }) => `metadata=print:file=${escaped(`tcp://${listener}`)}`),
  af('writes', TEXT, 'ametadata= into a file', ({ folder }) => `ametadata=print:file=${folder}/leak`),
  ...['psnr', 'ssim'].map((name) =>
    withOptions('writes', TEXT, `${name}= into a file`, ({ folder }) => ({
      filter_complex: `[0:v]split[a][b];[a][b]${name}=stats_file=${folder}/leak[o]`,
      map: '[o]',
    })),
  ),
  vf('writes', TEXT, 'vmafmotion= into a file', ({ folder }) => `vmafmotion=stats_file=${folder}/leak`),
  vf('writes', TEXT, 'curves= plotted', ({ folder }) => `curves=preset=vintage:plot=${folder}/leak`),
  vf('writes', TEXT, 'deshake= into a file', ({ folder }) => `deshake=filename=${folder}/leak`),
  vf('writes', NO, 'vidstabdetect= into a file', ({ folder }) => `vidstabdetect=result=${folder}/leak`),
  vf('writes', NO, 'vidstabdetect= into the working folder', () => 'vidstabdetect'),
  withOptions('writes', NO, 'signature= into a file', ({ folder }) => ({
    t: '0.5',
    vf: `signature=filename=${folder}/leak`,
  })),
  af('writes', TEXT, 'firequalizer= dumped', ({ folder }) => `firequalizer=dumpfile=${folder}/leak`),
  af('writes', NO, 'asr= with its log', ({ folder }) => `asr=logfn=${folder}/leak`, FATAL),
  withOptions('writes', TEXT, 'paletteuse= dumped', ({ folder }) => ({
    filter_complex: `[0:v]split[a][b];[b]palettegen[p];[a][p]paletteuse=debug_kdtree=${folder}/leak[o]`,
    map: '[o]',
  })),
];

const NO_FOLDER = 'the folder that the way up begins in is not on this machine; by FREI0R_PATH it is loaded';

/** Filters that listen or load. */
const OTHERS: readonly HostileRow[] = [
  vf('connects', NO, 'zmq= to an address', ({ listener }) => `zmq=b=${escaped(`tcp://${listener}`)}`, {
    inert: 'it listens; nobody calls in the tests',
  }),
  af('connects', NO, 'azmq= on all addresses', () => 'azmq', { inert: 'it listens; nobody calls in the tests' }),
  af('loads', NO, 'ladspa= of a library', ({ library }) => `ladspa=file=${library}`, FATAL),
  af('loads', NO, 'ladspa= of a library with a plugin', ({ library }) => `ladspa=f=${library}:p=x`, FATAL),
  vf(
    'loads',
    NO,
    'frei0r= by the way up',
    ({ library }) => `frei0r=../../../../../../../..${library.replace(/\.so$/, '')}`,
    { inert: NO_FOLDER },
  ),
  withOptions(
    'loads',
    NO,
    'frei0r_src= by the way up',
    ({ library }) => ({
      filter_complex: `frei0r_src=64x64:10:../../../../../../../..${library.replace(/\.so$/, '')}[o]`,
      map: '[o]',
    }),
    { inert: NO_FOLDER },
  ),
  af('loads', NO, 'lv2= of a bundle', () => 'lv2=p=urn\\\\:x', { inert: 'it loads what is installed, by its name' }),
  vf('reads', NO, 'hwupload=', () => 'hwupload', { inert: 'there is no device' }),
  vf('reads', NO, 'program_opencl= of a source', ({ text }) => `program_opencl=source=${text}:kernel=x`, {
    inert: 'there is no device',
  }),
  vf('reads', NO, 'libplacebo= with a shader', ({ text }) => `libplacebo=custom_shader_path=${text}`, {
    inert: 'there is no device',
  }),
];

const EXPRESSION = 'BAD_EXPRESSION';
const LIKE_ENABLE = { like: 'a loop in enable' } as const;

/** Expressions that never end, or tell. */
const ENDLESS: readonly HostileRow[] = [
  vf('hangs', EXPRESSION, 'a loop in enable', () => "drawbox=enable='while(1,1)'"),
  vf('hangs', EXPRESSION, 'a loop in select', () => "select='while(1,1)'", LIKE_ENABLE),
  vf('hangs', EXPRESSION, 'a loop in geq', () => "geq=lum='while(1,1)'", LIKE_ENABLE),
  vf('hangs', EXPRESSION, 'a loop behind spaces in the name', () => "setpts='wh ile(1,1)'", LIKE_ENABLE),
  vf('hangs', EXPRESSION, 'a loop behind another name', () => "setpts='while+x(1,1)'", { spells: 'a loop in enable' }),
  vf('hangs', EXPRESSION, 'a loop in what drawtext shows', () => "drawtext=text='%{eif\\:while(1,1)\\:d}'", {
    spells: 'a loop in enable',
  }),
  vf('hangs', 'BAD_VALUE', 'a loop where a number is wanted', () => "unsharp=luma_amount='while(1,1)'", {
    like: 'a number of an encoder',
  }),
  af('hangs', EXPRESSION, 'a loop in aeval', () => "aeval='while(1,1)'", LIKE_ENABLE),
  af('hangs', EXPRESSION, 'a loop in volume', () => "volume='while(1,1)':eval=frame", LIKE_ENABLE),
  vf('hangs', EXPRESSION, 'loops of loops by root', () => "setpts='root(root(root(root(1,9),9),9),9)'", {
    spells: 'a loop in enable',
  }),
  vf('hangs', EXPRESSION, 'loops of loops by taylor', () => "setpts='taylor(taylor(taylor(taylor(1,1),1),1),1)'", {
    inert: 'it gives up where nothing changes',
  }),
  vf('floods', EXPRESSION, 'an expression that writes into the log', () => "scale=32:32,geq=lum='print(1)+print(2)'"),
  vf('exhausts', EXPRESSION, 'brackets without end', () => `setpts='${'('.repeat(5000)}1${')'.repeat(5000)}'`, {
    inert: 'ffmpeg gives up at a hundred',
  }),
];

/** Graphs that ffmpeg would read otherwise than it looks. */
const ODD: readonly HostileRow[] = [
  vf('reads', 'BAD_FILTERGRAPH', 'a quote that is never closed', ({ movie }) => `drawtext=text='x,movie=${movie}`, {
    inert: 'all of it is text to ffmpeg',
  }),
  vf('reads', 'BAD_FILTERGRAPH', 'a backslash at the end', () => 'null\\', { inert: 'ffmpeg drops it' }),
  vf(
    'reads',
    'BAD_FILTERGRAPH',
    'a graph in the flags of the scaler',
    ({ movie }) => `sws_flags=a\\;movie=${movie};null`,
    {
      inert: 'ffmpeg takes it for flags',
    },
  ),
  withOptions(
    'reads',
    'NO_SUCH_INPUT',
    'a label of an input that is not there',
    { filter_complex: '[7:v]null[o]', map: '[o]' },
    {
      inert: 'there is none',
    },
  ),
  withOptions(
    'exhausts',
    'BAD_FILTERGRAPH',
    'a graph of two thousand filters',
    {
      vf: Array(2000).fill('null').join(','),
    },
    { inert: 'it only takes long' },
  ),
];

/** 4. Filters. */
export const FILTERS: readonly HostileRow[] = [...MOVIES, ...READING, ...WRITING, ...OTHERS, ...ENDLESS, ...ODD];
