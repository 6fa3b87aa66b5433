import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';

/** A request whose size grows with `size`. */
export type RequestOf = (size: number) => unknown;

/** A name, a request, and the size at which it begins. The largest is 16 times as large. */
export type RequestCase = readonly [string, RequestOf, number];

/** So many numbers with six digits, so that each has the same length. */
export const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => String(100_000 + i));

const list = (count: number, one: (number: string) => string, separator = ','): string =>
  numbers(count).map(one).join(separator);

const film = (parameters: Parameters, output = 'b.mp4'): ConversionRequest => ({ input: 'a.mp4', output, parameters });

type Parts = Readonly<Record<string, (number: string) => string>>;

/** One option whose value is a list of growing length. */
const lists = (name: string, separator: string, cases: Parts, output?: string, start = ''): readonly RequestCase[] =>
  Object.entries(cases).map(([title, one]) => [
    `${name} of ${title}`,
    (size) => film({ [name]: start + list(size, one, separator) }, output),
    12,
  ]);

/** One option with a list of values, of which a request may have 100. */
const repeated = (name: string, cases: Parts, rest: Parameters = {}): readonly RequestCase[] =>
  Object.entries(cases).map(([title, one]) => [
    `many ${name} of ${title}`,
    (size) => film({ ...rest, [name]: numbers(size).map(one) }),
    6,
  ]);

/** One option with a text of growing length. */
const texts = (
  name: string,
  cases: Readonly<Record<string, (size: number) => string>>,
  output?: string,
): readonly RequestCase[] =>
  Object.entries(cases).map(([title, one]) => [
    `${name} of ${title}`,
    (size) => film({ [name]: one(size) }, output),
    100,
  ]);

const labels = (count: number, name = 'a'): string => list(count, (n) => `[${name}${n}]`, '');

const GRAPHS: readonly RequestCase[] = [
  ...lists('vf', ',', {
    'valid filters': () => 'scale=w=640:h=360',
    'filters without options': () => 'hflip',
    expressions: () => 'scale=w=iw/2+1:h=min(ih\\,720)',
    'unknown filters': (n) => `f${n}`,
    'unknown options': (n) => `scale=w${n}=1`,
    'unknown words': (n) => `format=yuv${n}`,
    'wrong numbers': (n) => `scale=w=x${n}`,
    'too many values': () => 'scale=1:1:1:1:1:1:1:1:1',
    texts: () => "drawtext=text='hello %{pts}':x=10:y=w/2",
    fades: () => 'fade=t=in:st=0:d=1',
    labels: (n) => `[a${n}]hflip[b${n}]`,
    instances: (n) => `hflip@x${n}`,
    'commas in expressions': () => 'select=eq(n,100)',
    'colours of CSS': () => 'drawbox=color=rgb(255,0,0)',
    spaces: () => '  hflip  ',
    'stray marks': () => "'a b'=c",
    trims: () => 'trim=start=1:end=2',
    'set times': () => 'setpts=PTS*2',
    sizes: () => 'scale=s=hd720',
    'sound filters': () => 'volume=2',
    subtitles: (n) => `subtitles=${n}.srt`,
    movies: (n) => `movie=${n}.mp4`,
    flags: () => 'scale=flags=lanczos+bicubic',
    sources: () => 'color=c=red',
    'options twice': () => 'scale=w=1:w=2',
    rotations: () => 'transpose=180',
    drives: () => 'subtitles=C:/talk.srt',
    crops: () => 'crop=16:9',
    pads: () => 'pad=w=1920:h=1080:x=(ow-iw)/2:y=(oh-ih)/2',
    'zooms and palettes': () => "zoompan=z='zoom+0.001':d=125,palettegen,paletteuse",
    'numbers of frames': () => 'fps=25,tinterlace,framerate=fps=30',
  }),
  ...lists('vf', ' ', { 'filters without commas': () => 'hflip' }),
  ...lists('vf', ':', { 'too many values of one filter': () => '1' }, undefined, 'scale='),
  ...lists('vf', ':', { 'unknown options of one filter': (n) => `w${n}=1` }, undefined, 'scale='),
  ...lists('vf', ':', { 'options twice of one filter': () => 'w=1' }, undefined, 'scale='),
  ...lists('vf', '|', { 'words of a list': () => 'yuv420p' }, undefined, 'format=pix_fmts='),
  ...lists('vf', '+', { 'flags of one filter': () => 'lanczos' }, undefined, 'scale=flags='),
  ...lists('vf', '', { 'wrong quotes': () => "'" }, undefined, 'scale=w='),
  ...lists('vf', '', { backslashes: () => '\\\\' }, undefined, 'drawtext=text='),
  ...lists('vf', '', { expansions: () => '%{pts}' }, undefined, 'drawtext=text='),
  ...lists('vf', '', { 'unknown expansions': () => '%{a' }, undefined, 'drawtext=text='),
  ...lists('vf', '+', { 'terms of one expression': () => 'iw' }, undefined, 'scale=w='),
  ...lists('vf', '+', { 'unknown names of one expression': (n) => `x${n}` }, undefined, 'crop=w='),
  ...lists('vf', '', { 'parentheses of one expression': () => '(' }, undefined, 'scale=w='),
  ...lists('vf', '', { 'functions of one expression': () => 'abs(' }, undefined, 'scale=w='),
  ...lists('af', ',', {
    'valid filters': () => 'volume=volume=2',
    pans: () => 'pan=stereo|c0=c0|c1=c1',
    equalisers: () => 'equalizer=f=1000:t=q:w=1:g=2',
    'unknown filters': (n) => `f${n}`,
    'video filters': () => 'hflip',
    trims: () => 'atrim=start=1:end=2',
    tempos: () => 'atempo=4',
    loudness: () => 'loudnorm=I=-16:TP=-1.5:LRA=11',
    fades: () => 'afade=out:5:2',
    delays: () => 'adelay=1000|1000',
    mixes: () => 'amix=inputs=2',
    pictures: () => 'showwavespic',
  }),
  ...lists('af', '|', { 'channels of one filter': (n) => `c${Number(n) % 8}=c0` }, undefined, 'pan=stereo|'),
  ...lists('af', '|', { 'delays of one filter': () => '1000' }, undefined, 'adelay='),
  ...lists('af', ' ', { 'delays with spaces': () => '1000' }, undefined, 'adelay='),
  ...lists('af', '+', { 'channels of one pan': () => '0.5*c0' }, undefined, 'pan=mono|c0='),
  ...lists('filter_complex', ';', {
    'linked labels': (n) => `[a${n}]hflip[a${Number(n) + 1}]`,
    'labels that nothing makes': (n) => `[y${n}]hflip[x${n}]`,
    'labels twice': () => '[0:v]hflip[x]',
    'unused outputs': (n) => `[0:v]hflip[x${n}]`,
    'missing inputs': (n) => `[0:v]overlay[x${n}]`,
    'wrong inputs': (n) => `[${n}:v]hflip[x${n}]`,
    'wrong kinds': (n) => `[0:a]hflip[x${n}]`,
    sources: (n) => `color=c=red[x${n}]`,
    splits: (n) => `[0:v]split[x${n}][y${n}]`,
    concats: (n) => `[0:v][0:a][0:v][0:a]concat=n=2:v=1:a=1[x${n}][y${n}]`,
    'concats in a wrong order': (n) => `[0:v][0:v][0:a][0:a]concat=n=2:v=1:a=1[x${n}][y${n}]`,
    'large concats': (n) => `[0:v]concat=n=99:v=99:a=99[x${n}]`,
    'bare labels': (n) => `[v]hflip[x${n}]`,
    overlays: (n) => `[0:v][1:v]overlay=x=W-w:y=H-h[x${n}]`,
    'unconnected filters': () => 'hflip',
    palettes: (n) => `[0:v]palettegen[p${n}];[0:v][p${n}]paletteuse[x${n}]`,
    trims: (n) => `[0:v]trim=start=1[x${n}];[x${n}]hflip[y${n}]`,
    loudness: (n) => `[0:a]loudnorm[x${n}];[x${n}]anull[y${n}]`,
  }),
  ...lists('filter_complex', ',', { 'trims in a chain': () => 'trim=start=1' }, undefined, '[0:v]'),
  ...repeated('filter_complex', {
    'valid graphs': (n) => `[0:v]hflip[x${n}]`,
    'unknown labels': (n) => `[y${n}]hflip[x${n}]`,
    'unknown filters': (n) => `f${n}`,
    'shared labels': (n) => `[x${n}]hflip[x${Number(n) + 1}]`,
    'syntax errors': () => '[a',
  }),
  ...texts('filter_complex', {
    'one split': (n) => `[0:v]split=${n}${labels(n)}`,
    'one split with many labels': (n) => `[0:v]split=2${labels(n)}`,
    'one split with few labels': (n) => `[0:v]split=${n}[a]`,
    'one filter with many inputs': (n) => `${labels(n)}hflip[x]`,
    'one mix': (n) => `${list(n, () => '[0:a]', '')}amix=inputs=${n}[x]`,
    'one concat': (n) => `${list(n, () => '[0:v][0:a]', '')}concat=n=${n}:v=1:a=1[v][a]`,
    'one concat in a wrong order': (n) =>
      `${list(n, () => '[0:v]', '')}${list(n, () => '[0:a]', '')}concat=n=${n}:v=1:a=1[v][a]`,
    'one large concat': (n) => `${list(n, () => '[0:v]', '')}concat=n=99:v=99:a=99[v][a]`,
    'one user of a label': (n) => `[0:v]hflip[x];${list(n, () => '[x]', '')}overlay`,
    'flags of scalers': (n) => `sws_flags=${'lanczos+'.repeat(n)};hflip`,
    'a long label': (n) => `[${'x'.repeat(n)}]hflip[${'y'.repeat(n)}]`,
    'open brackets': (n) => '['.repeat(n),
    'a long name': (n) => 'f'.repeat(n),
    'a long instance': (n) => `hflip@${'x'.repeat(n)}`,
  }),
  ...texts('vf', { 'one split': (n) => `split=${n}${labels(n)}` }),
  [
    'maps of labels',
    (n) => film({ filter_complex: list(n, (i) => `[0:v]hflip[x${i}]`, ';'), map: numbers(n).map((i) => `[x${i}]`) }),
    6,
  ],
  [
    'maps of other labels',
    (n) => film({ filter_complex: list(n, (i) => `[0:v]hflip[x${i}]`, ';'), map: numbers(n).map((i) => `[y${i}]`) }),
    6,
  ],
];

/** Options of which most have a warning. */
const WITH_WARNINGS: Parameters = {
  ...{ to: '5', r: '30', ac: '1', vol: '100', tune: 'film', 'q:v': '3', maxrate: '1M', hls_time: '6' },
  ...{ itsoffset: '1', sub_charenc: 'latin1', color_primaries: 'bt709' },
};

const VALUES: readonly RequestCase[] = [
  ...lists('flags', '+', { 'valid words': () => 'cgop', 'unknown words': (n) => `x${n}` }),
  ...lists('movflags', '+', { 'valid words': () => 'faststart', 'unknown words': (n) => `x${n}` }),
  ...lists('disposition:a:0', '+', { 'valid words': () => 'default', 'unknown words': (n) => `x${n}` }),
  ...lists('x264-params', ':', {
    'valid values': () => 'keyint=60',
    'unknown names': (n) => `x${n}=1`,
    'wrong values': () => 'keyint=a',
    'marks alone': () => '',
  }),
  ...lists('x264opts', ':', { 'valid values': () => 'keyint=60', 'unknown names': (n) => `x${n}=1` }),
  ...lists('x265-params', ':', { 'valid values': () => 'keyint=60', 'unknown names': (n) => `x${n}=1` }, 'b.mkv'),
  ...lists('svtav1-params', ':', { 'valid values': () => 'tune=0', 'unknown names': (n) => `x${n}=1` }, 'b.mkv'),
  ...lists('aom-params', ':', { 'valid values': () => 'cpu-used=4', 'unknown names': (n) => `x${n}=1` }, 'b.mkv'),
  ...lists('bsf:v', ',', {
    'valid filters': () => 'h264_metadata=level=4.1',
    'unknown filters': (n) => `x${n}`,
    'unknown options': (n) => `h264_metadata=x${n}=1`,
  }),
  ...lists('force_key_frames', ',', { times: () => '00:00:01', 'wrong times': () => 'a' }),
  ...lists('force_key_frames', '+', { 'an expression': () => 'n_forced' }, undefined, 'expr:'),
  ...lists('channel_layout', '+', { names: () => 'FL', 'unknown names': (n) => `x${n}` }),
  ...lists('var_stream_map', ' ', { variants: (n) => `v:0,a:0,name:${n}`, 'unknown words': (n) => `x${n}` }, 'b.m3u8'),
  ...lists('adaptation_sets', ' ', { sets: (n) => `id=${n},streams=v`, 'unknown words': (n) => `x${n}` }, 'b.mpd'),
  ...lists('hls_flags', '+', { words: () => 'delete_segments', 'unknown words': (n) => `x${n}` }, 'b.m3u8'),
  ...lists('metadata', '', { 'escaped text': () => '\\=' }, undefined, 'title='),
  ...texts(
    'hls_segment_filename',
    {
      patterns: (n) => `${'%03d'.repeat(n)}.ts`,
      folders: (n) => `${'a/'.repeat(n)}%d.ts`,
      dates: (n) => `${'%Y'.repeat(n)}.ts`,
    },
    'b.m3u8',
  ),
  ...[
    'b:v',
    'r',
    's',
    'aspect',
    'ss',
    't',
    'crf',
    'pix_fmt',
    'preset',
    'g',
    'profile:v',
    'f',
    'c:v',
    'map',
    'y',
    'vn',
  ].flatMap((name) =>
    texts(name, { digits: (n) => '1'.repeat(n), letters: (n) => 'a'.repeat(n), marks: (n) => '1:.'.repeat(n) }),
  ),
  ...texts('qmax', { sums: (n) => `1${'+1'.repeat(n)}`, spaces: (n) => `1${' '.repeat(n)}` }),
  ...repeated('map', {
    streams: () => '0:v:0',
    'labels that nothing makes': (n) => `[x${n}]`,
    'missing inputs': (n) => `${n}:v`,
    'wrong specifiers': (n) => `0:x${n}`,
    'negative ones': () => '-0:a',
  }),
  ...repeated('metadata', { tags: (n) => `k${n}=v`, 'tags twice': () => 'title=a', 'no tags': (n) => `k${n}` }),
  ...repeated('metadata', { 'tags beside options with warnings': (n) => `k${n}=v` }, WITH_WARNINGS),
  ...lists('vf', ',', { 'filters of full chroma': () => 'curves=preset=negative' }),
  ...lists('af', ',', { 'filters that remove nothing': () => 'silenceremove' }),
  [
    'colours of a style',
    (size) => ({
      inputs: ['a.mp4', 't.srt'],
      output: 'b.mp4',
      parameters: { vf: `subtitles=t.srt:force_style='${list(size, () => 'PrimaryColour=#ff0000')}'` },
    }),
    12,
  ],
  ...repeated('x264-params', { 'several values': () => 'keyint=60' }),
  ...repeated('flags', { 'several values': () => '+cgop' }),
];

const named = (one: (number: string) => string, value: string) => (size: number) =>
  film(Object.fromEntries(numbers(size).map((n) => [one(n), value])));

const NAMES: readonly RequestCase[] = (
  [
    ['unknown', (n) => `x${n}`],
    ['misspelt', (n) => `bitrat${n}`],
    ['of streams', (n) => `b:v:${Number(n) - 100_000}`],
    ['with wrong specifiers', (n) => `b:x${n}`],
    ['with dashes', (n) => `-b${n}`],
    ['with values', (n) => `b=${n}`],
    ['of metadata', (n) => `metadata:s:a:${Number(n) - 100_000}`],
    ['of codecs of streams', (n) => `c:v:${Number(n) - 100_000}`],
    ['of flags of streams', (n) => `flags:v:${Number(n) - 100_000}`],
    ['of filters of streams', (n) => `filter:v:${Number(n) - 100_000}`],
    ['of dispositions', (n) => `disposition:a:${Number(n) - 100_000}`],
  ] as const satisfies readonly (readonly [string, (n: string) => string])[]
).flatMap(([title, one]) =>
  ['1', 'scale=1280:-2'].map((value): RequestCase => [`options ${title}, ${value}`, named(one, value), 6]),
);

const inputs =
  (one: (number: string) => unknown, rest: object = { output: 'b.mp4' }): RequestOf =>
  (size) => ({
    inputs: numbers(size).map(one),
    ...rest,
  });
const outputs =
  (one: (number: string) => object, rest: object = {}): RequestOf =>
  (size) => ({
    input: 'a.mp4',
    outputs: numbers(size).map((n) => ({ output: `${n}.mp4`, ...one(n) })),
    ...rest,
  });

const LONG_GRAPH = list(100, () => 'scale=w=640:h=360');
const WRONG_GRAPH = list(100, (n) => `scale=x${n}=1`);

const FILES: readonly RequestCase[] = [
  ['inputs', inputs((n) => `${n}.mp4`), 6],
  ['inputs twice', inputs(() => 'a.mp4'), 6],
  ['inputs that are wrong paths', inputs((n) => `../${n}.mp4`), 6],
  ['inputs that are URLs', inputs((n) => `https://example.com/${n}.mp4`), 6],
  ['inputs in buckets', inputs((n) => `s3://bucket/${n}.mp4`), 6],
  ['inputs with options', inputs((n) => ({ input: `${n}.mp4`, parameters: { ss: '1' } })), 6],
  ['inputs with unknown options', inputs((n) => ({ input: `${n}.mp4`, parameters: { [`x${n}`]: '1' } })), 6],
  ['inputs with unknown fields', inputs((n) => ({ input: `${n}.mp4`, [`x${n}`]: '1' })), 6],
  [
    'inputs with many unknown fields',
    inputs((n) => ({ input: `${n}.mp4`, ...Object.fromEntries(numbers(90).map((x) => [`y${x}`, 1])) })),
    3,
  ],
  ['inputs that are numbers', inputs(Number), 6],
  ['sources', inputs(() => ({ source: 'color=c=red', duration: '2' })), 6],
  ['wrong sources', inputs((n) => ({ source: `f${n}` })), 6],
  ['pictures of a slideshow', inputs((n) => ({ input: `${n}.png`, duration: '2', crossfade: '0.5' })), 6],
  [
    'parts of an input',
    (size) => ({
      input: 'a.mp4',
      output: 'b.mp4',
      cut: { keep: numbers(size).map((n) => ({ start: 2 * Number(n), end: 2 * Number(n) + 1 })) },
    }),
    6,
  ],
  [
    'parts of an input that fade',
    (size) => ({
      input: 'a.mp4',
      output: 'b.mp4',
      cut: { keep: numbers(size).map((n) => ({ start: 2 * Number(n), end: 2 * Number(n) + 1 })), crossfade: 0.5 },
    }),
    6,
  ],
  ['joined inputs', inputs((n) => `${n}.mp4`, { join: 'encode', output: 'b.mp4' }), 6],
  ['copied inputs', inputs((n) => `${n}.mp4`, { join: 'copy', output: 'b.mp4' }), 6],
  [
    'joined inputs with options',
    inputs((n) => ({ input: `${n}.mp4`, parameters: { ss: '1', t: '2' } }), { join: 'encode', output: 'b.mp4' }),
    6,
  ],
  [
    'inputs with a filter',
    inputs((n) => `${n}.srt`, { output: 'b.mp4', parameters: { vf: list(20, (n) => `subtitles=${n}.srt`) } }),
    6,
  ],
  ['unused inputs', inputs((n) => `${n}.mp4`, { output: 'b.mp4', parameters: { map: '0:v' } }), 6],
  [
    'inputs of all maps',
    (size) => ({
      inputs: numbers(size).map((n) => `${n}.mp4`),
      output: 'b.mkv',
      parameters: { map: numbers(size).map((_, i) => `${i}:v`) },
    }),
    6,
  ],
  [
    'inputs of a graph',
    (size) => ({
      inputs: numbers(size).map((n) => `${n}.mp4`),
      output: 'b.mkv',
      parameters: {
        filter_complex: `${numbers(size)
          .map((_, i) => `[${i}:v]`)
          .join('')}hstack=inputs=${size}[v]`,
        map: '[v]',
      },
    }),
    6,
  ],
  ['outputs', outputs(() => ({})), 1],
  ['outputs twice', outputs(() => ({ output: 'b.mp4' })), 1],
  ['outputs that are wrong paths', outputs((n) => ({ output: `../${n}.mp4` })), 1],
  ['outputs with options', outputs(() => ({ parameters: { 'c:v': 'libx264', crf: '23' } })), 1],
  ['outputs with unknown options', outputs((n) => ({ parameters: { [`x${n}`]: '1' } })), 1],
  ['outputs with graphs', outputs(() => ({ parameters: { vf: LONG_GRAPH } })), 1],
  ['outputs with wrong graphs', outputs(() => ({ parameters: { vf: WRONG_GRAPH } })), 1],
  [
    'outputs with playlists',
    outputs((n) => ({ output: `${n}.m3u8`, parameters: { hls_segment_filename: `${n}%03d.ts` } })),
    1,
  ],
  ['outputs with the options of the request', outputs(() => ({}), { parameters: { vf: LONG_GRAPH, crf: '23' } }), 1],
  ['outputs with the wrong options of the request', outputs(() => ({}), { parameters: { vf: WRONG_GRAPH } }), 1],
  [
    'outputs with the unknown options of the request',
    outputs(() => ({}), { parameters: Object.fromEntries(numbers(100).map((n) => [`x${n}`, '1'])) }),
    1,
  ],
  [
    'outputs with the same labels',
    (size) => ({
      input: 'a.mp4',
      parameters: { filter_complex: `[0:v]split=16${labels(16)}` },
      outputs: numbers(size).map((n) => ({ output: `${n}.mp4`, parameters: { map: '[a100000]' } })),
    }),
    1,
  ],
  [
    'outputs with fallbacks',
    outputs(() => ({ parameters: { 'c:v': 'h264_vaapi' }, fallback: { 'c:v': 'libx264' } })),
    1,
  ],
  ['a long path', (n) => ({ input: 'a/'.repeat(n), output: `${'b'.repeat(n)}.mp4` }), 800],
  ['a path of dots', (n) => ({ input: './'.repeat(n), output: `${'../'.repeat(n)}b.mp4` }), 800],
  ['a path with counters', (n) => ({ input: '%03d'.repeat(n), output: `${'%d'.repeat(n)}.png` }), 800],
  ['a path with wildcards', (n) => ({ input: `${'*a'.repeat(n)}.png`, output: `${'?'.repeat(n)}.mp4` }), 800],
  ['a path with escapes', (n) => ({ input: '%2f'.repeat(n), output: '\\'.repeat(n) }), 800],
  ['a long URL', (n) => ({ input: `https://example.com/${'a/'.repeat(n)}?${'b=c&'.repeat(n)}`, output: 'b.mp4' }), 800],
  ['a URL with a long host', (n) => ({ input: `https://${'a.'.repeat(n)}com/x`, output: 'b.mp4' }), 800],
  ['a long webhook URL', (n) => ({ ...film({}), callbackUrl: `https://example.com/${'a/'.repeat(n)}` }), 800],
  ['a command instead of an input', (n) => ({ input: `ffmpeg ${'-i a.mp4 '.repeat(n)}`, output: 'b.mp4' }), 20],
  ['options as a command', (n) => ({ input: 'a.mp4', output: 'b.mp4', parameters: '-c:v libx264 '.repeat(n) }), 20],
  [
    'options as words',
    (n) => ({ input: 'a.mp4', output: 'b.mp4', parameters: numbers(n).flatMap((i) => [`-x${i}`, '1']) }),
    20,
  ],
  [
    'options that are objects',
    (n) => ({ input: 'a.mp4', output: 'b.mp4', parameters: Object.fromEntries(numbers(n).map((i) => [i, {}])) }),
    20,
  ],
  ['options that are numbers', (n) => film(Object.fromEntries(numbers(n).map((i) => [i, 1])) as never), 20],
  ['unknown fields', (n) => ({ ...film({}), ...Object.fromEntries(numbers(n).map((i) => [`x${i}`, 1])) }), 20],
  ['missing fields and unknown fields', (n) => Object.fromEntries(numbers(n).map((i) => [`x${i}`, 1])), 20],
  ['known fields in other spellings', (n) => Object.fromEntries(numbers(n).map((i) => [`inputFile${i}`, 'a.mp4'])), 20],
  ['metadata', (n) => ({ ...film({}), metadata: Object.fromEntries(numbers(n).map((i) => [i, 'a'])) }), 20],
  ['wrong metadata', (n) => ({ ...film({}), metadata: Object.fromEntries(numbers(n).map((i) => [i, 1])) }), 20],
  ['jobs to wait for', (n) => ({ ...film({}), after: numbers(n).map((i) => `0199a7c2-5b1e-7c3d-9f21-6a4f0c${i}`) }), 6],
  ['wrong jobs to wait for', (n) => ({ ...film({}), after: numbers(n) }), 6],
  ['nested lists', (n) => ({ ...film({}), metadata: JSON.parse('['.repeat(n) + ']'.repeat(n)) }), 100],
  ['a list as a body', (n) => Array.from({ length: n }, () => film({ crf: '23' })), 20],
  ['a list of numbers as a body', (n) => numbers(n).map(Number), 20],
];

/** Requests of `POST /api/conversion`, each with one part that grows. */
export const REQUESTS: readonly RequestCase[] = [...GRAPHS, ...VALUES, ...NAMES, ...FILES];
