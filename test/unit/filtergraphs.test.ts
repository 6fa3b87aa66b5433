import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { MAX_FIELD_ERRORS } from '../../packages/contract/src/domain/problem.ts';
import { planRequest } from '../support/planning.ts';
import { told } from '../support/told.ts';

/** The inputs that ffmpeg opens and the filtergraph of a planned request. */
function planned(request: ConversionRequest): { opened: string[]; graph: string | undefined } {
  const result = planRequest(request);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  const [argv = []] = result.plan.passes;
  const after = (word: string): string[] => argv.flatMap((one, i) => (argv[i - 1] === word ? [one] : []));
  return { opened: after('-i'), graph: [...after('-filter:v'), ...after('-filter_complex')][0] };
}

const burn = (inputs: ConversionRequest['inputs'], vf: string, more = {}) =>
  ({ inputs, output: 'out.mp4', parameters: { vf, ...more } }) as ConversionRequest;

test('a filter reads the subtitles of a named input, which does not become an ffmpeg input', () => {
  expect(planned(burn(['a.mp4', 'subs/talk.srt'], 'subtitles=subs/talk.srt'))).toEqual({
    opened: ['file:in/0.mp4'],
    graph: 'subtitles=filename=in/1.srt',
  });
});

test.each([
  ['subtitles=filename=/talk.srt:force_style=Fontsize=24', 'subtitles=filename=in/1.srt:force_style=Fontsize=24'],
  [
    "subtitles='talk.srt':force_style='Fontsize=24,Bold=1'",
    'subtitles=filename=in/1.srt:force_style=Fontsize=24\\,Bold=1',
  ],
  ['scale=640:-2, subtitles = f=./talk.srt', 'scale=w=640:h=-2,subtitles=f=in/1.srt'],
  ['scale=1280x720:flags=lanczos,subtitles=talk.srt', 'scale=size=1280x720:flags=lanczos,subtitles=filename=in/1.srt'],
  ['scale=hd720,subtitles=talk.srt', 'scale=size=hd720,subtitles=filename=in/1.srt'],
  ['subtitles@burn=/srv/media/talk.srt', 'subtitles@burn=filename=in/1.srt'],
])('%s', (vf, graph) => {
  expect(planned(burn(['a.mp4', 'talk.srt'], vf))).toEqual({ opened: ['file:in/0.mp4'], graph });
});

test('a file that a filter opens by content is checked before, like an input', () => {
  const checks = (request: ConversionRequest) => {
    const result = planRequest(request);
    return result.ok ? result.plan.checks?.map((argv) => argv.join(' ')) : undefined;
  };
  expect(checks(burn(['a.mp4', 'talk.srt'], 'subtitles=talk.srt,subtitles=talk.srt:si=0'))).toEqual([
    expect.stringMatching(
      /^-nostdin -hide_banner -nostats -loglevel level\+info -protocol_whitelist file -format_whitelist mov,\S+ -i file:in\/1.srt -map 0 -c copy -t 0 -f null -$/,
    ),
  ]);
  expect(checks(burn(['a.mp4', 'look.cube'], 'lut3d=look.cube'))).toBeUndefined();
});

test('subtitles inside the video are read by the filter', () => {
  expect(planned(burn(['film.mkv'], 'subtitles=film.mkv:si=1'))).toEqual({
    opened: ['file:in/0.mkv'],
    graph: 'subtitles=filename=in/0.mkv:si=1',
  });
});

test.each([
  ['subtitles=talk.srt', 'subtitles=filename=in/1.srt:fontsdir=in/fonts'],
  ['subtitles=talk.srt:fontsdir=fonts/', 'subtitles=filename=in/1.srt:fontsdir=in/fonts'],
  ['subtitles=talk.srt:640x360:fonts/a.ttf', 'subtitles=filename=in/1.srt:original_size=640x360:fontsdir=in/fonts'],
  ['ass=talk.srt,hflip', 'ass=filename=in/1.srt:fontsdir=in/fonts,hflip'],
  ['subtitles=talk.srt,drawtext=text=a:fontfile=fonts/a.ttf', /fontfile=in\/fonts\/2\.ttf$/],
])('subtitles find the fonts among the inputs: %s', (vf, graph) => {
  const { opened, graph: text } = planned(burn(['a.mp4', 'talk.srt', 'fonts/a.ttf', 'other/B.OTF'], vf));
  expect(opened).toEqual(['file:in/0.mp4']);
  if (typeof graph === 'string') expect(text).toBe(graph);
  else expect(text).toMatch(graph);
});

test('an input that a map or a label also names is opened too', () => {
  const opened = ['file:in/0.mp4', 'file:in/1.mkv'];
  const inputs = ['a.mp4', 'b.mkv'];
  expect(planned(burn(inputs, 'subtitles=b.mkv', { map: ['0:v', '1:a'] })).opened).toEqual(opened);
  const graph = '[0:v]subtitles=b.mkv[v];[v][1:v]overlay';
  expect(planned({ inputs, output: 'o.mp4', parameters: { filter_complex: graph } }).opened).toEqual(opened);
});

test('the text of a file is not expanded, because it was not checked', () => {
  const filterOf = (graph: string): string | undefined => {
    const result = planRequest(burn(['a.mp4', 'a.txt'], graph));
    return result.ok ? result.plan.passes[0]?.find((word) => word.startsWith('drawtext')) : undefined;
  };
  expect(filterOf('drawtext=textfile=a.txt:x=1')).toBe('drawtext=textfile=in/1.txt:x=1:expansion=none');
  expect(filterOf('drawtext=textfile=a.txt:expansion=strftime')).toBe('drawtext=textfile=in/1.txt:expansion=strftime');
  for (const expansion of ['normal', '1', 'default'])
    expect(filterOf(`drawtext=expansion=${expansion}:textfile=a.txt`)).toBeUndefined();
});

test('a system font may be named by its file', () => {
  const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
  expect(planned(burn(['a.mp4'], `drawtext=text=Hi:fontfile=${font}`)).graph).toBe(`drawtext=text=Hi:fontfile=${font}`);
  for (const other of [
    '/etc/passwd',
    '/usr/share/fonts/x',
    '/usr/share/fonts/.a/b.ttf',
    '/usr/share/fontsx/b.ttf',
    'b.ttf',
  ])
    expect(planRequest(burn(['a.mp4'], `drawtext=text=Hi:fontfile=${other}`)).ok).toBe(false);
});

test.each([
  ['drawtext=text=100%:expansion=none', 'drawtext=text=100%:expansion=none'],
  ['drawtext=expansion=strftime:text=%Y', 'drawtext=expansion=strftime:text=%Y'],
])('text that is not expanded may contain percent signs: %s', (vf, graph) => {
  expect(planned(burn(['a.mp4'], vf)).graph).toBe(graph);
});

test.each<[string, ConversionRequest, object]>([
  [
    'text that is expanded and holds a lone per cent sign',
    burn(['a.mp4'], 'drawtext=text=100%'),
    { field: '/parameters/vf', code: 'BAD_EXPRESSION' },
  ],
  [
    'text that is expanded according to one of two "expansion" options',
    burn(['a.mp4'], 'drawtext=text=100%:expansion=none:expansion=normal'),
    { field: '/parameters/vf', code: 'BAD_EXPRESSION' },
  ],
  [
    'a label without a graph that makes it',
    { input: 'a.mp4', output: 'b.mp4', parameters: { map: '[v]' } },
    { field: '/parameters/map', code: 'UNKNOWN_LABEL' },
  ],
  [
    'labels that are named otherwise in the graph',
    {
      inputs: ['a.mp4', 'b.mp4'],
      output: 'c.mp4',
      parameters: {
        filter_complex: '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[outv][outa]',
        map: ['[a]', '[outv]', '[outa]'],
      },
    },
    {
      field: '/parameters/map',
      code: 'UNKNOWN_LABEL',
      message: 'No filtergraph has an output "[a]" that no filter reads.',
      allowed: ['[outv]', '[outa]'],
    },
  ],
  [
    'a text file that is to be expanded',
    burn(['a.mp4', 'a.txt'], 'drawtext=textfile=a.txt:expansion=normal'),
    { field: '/parameters/vf', code: 'BAD_EXPRESSION', message: expect.stringContaining('the text file') },
  ],
  [
    'a file that is no input',
    burn(['a.mp4'], 'subtitles=talk.srt'),
    {
      field: '/parameters/vf',
      code: 'NOT_AN_INPUT',
      message: expect.stringContaining('comes after the media in "inputs"'),
    },
  ],
  [
    'a file of another machine',
    burn(['a.mp4'], 'subtitles=/media/talk.srt'),
    { field: '/parameters/vf', code: 'NOT_AN_INPUT' },
  ],
  [
    'a font that lies elsewhere on the host',
    burn(['a.mp4'], 'drawtext=text=Hi:fontfile=/usr/share/fonts/../a.ttf'),
    {
      field: '/parameters/vf',
      code: 'NOT_AN_INPUT',
      message: expect.stringContaining('"font" takes the name of an installed font'),
    },
  ],
  [
    'a folder of fonts without a font of it',
    burn(['a.mp4', 'talk.srt'], 'subtitles=talk.srt:fontsdir=fonts'),
    {
      field: '/parameters/vf',
      code: 'NOT_AN_INPUT',
      message: expect.stringContaining('no input of the request is a font'),
    },
  ],
  [
    'a folder beside the one of the fonts',
    burn(['a.mp4', 'talk.srt', 'type/a.ttf'], 'subtitles=talk.srt:fontsdir=/usr/share/fonts'),
    { field: '/parameters/vf', code: 'NOT_AN_INPUT', allowed: ['type'] },
  ],
  [
    'a font that nothing draws with',
    burn(['a.mp4', 'a.ttf'], 'hflip'),
    {
      field: '/inputs/1',
      code: 'UNREAD_FONT',
      message: expect.stringMatching(/^No filter of the request reads the font "a\.ttf"\./),
    },
  ],
  [
    'a width without a height',
    burn(['a.mp4'], 'scale=640'),
    { field: '/parameters/vf', code: 'BAD_VALUE', message: expect.stringContaining('a size in pixels, width first') },
  ],
  [
    'a file outside of the root',
    burn(['a.mp4'], 'subtitles=../../etc/passwd'),
    { field: '/parameters/vf', code: 'NOT_AN_INPUT' },
  ],
  [
    'a file before the media',
    burn(['talk.srt', 'a.mp4'], 'subtitles=talk.srt'),
    { field: '/inputs/0', code: 'WRONG_ORDER' },
  ],
  [
    'a file with options',
    burn(['a.mp4', { input: 'talk.srt', parameters: { ss: '1' } }], 'subtitles=talk.srt'),
    { field: '/inputs/1/input', code: 'NO_OPTIONS_HERE' },
  ],
  [
    'a quote that stays open',
    burn(['a.mp4'], "scale=2:2,drawtext=text='a"),
    {
      field: '/parameters/vf',
      code: 'BAD_FILTERGRAPH',
      message: expect.stringMatching(/^A quote is never closed, at character 25: "'a"\.$/),
    },
  ],
])('rejects %s', (_what, request, error) => {
  const result = planRequest(request);
  expect(told(result.ok ? [] : result.errors)).toEqual([expect.objectContaining(error)]);
});

const linked = (filter_complex: string, map: string | string[]): ConversionRequest => ({
  inputs: ['a.mp4', 'b.mp4'],
  output: 'o.mp4',
  parameters: { filter_complex, map },
});

test.each<[string, string, string[], string, string]>([
  ['an unknown label', '[w]null[v]', ['[v]'], 'UNKNOWN_LABEL', 'No filter produces the label "[w]".'],
  ['an input out of range', '[2:v]null[v]', ['[v]'], 'NO_SUCH_INPUT', '"[2:v]" refers to an input that the request'],
  [
    'an output that is left open',
    '[0:v]split[v][w]',
    ['[v]'],
    'UNUSED_LABEL',
    'an output "[w]" that "map" does not select',
  ],
  ['a link made twice', '[0:v]null[v];[1:v]null[v]', ['[v]'], 'LABEL_TWICE', '"[v]" is produced by two filters'],
  ['a link taken twice', '[0:v]null[x];[x]null[y];[x]null[z]', ['[y]', '[z]'], 'LABEL_TWICE', 'used by two filters'],
  ['an input pad too many', '[0:v][1:v][0:v]overlay[v]', ['[v]'], 'TOO_MANY_LABELS', '"overlay" has 2 inputs, but 3'],
  ['an output pad too many', '[0:v]null[v][w]', ['[v]', '[w]'], 'TOO_MANY_LABELS', '"null" has 1 output, but 2'],
  ['more than "inputs" says', '[0:v][1:v][0:v]hstack[v]', ['[v]'], 'TOO_MANY_LABELS', '"hstack" has 2 inputs, but 3'],
  ['more than "outputs" says', '[0:v]split=1[v][w]', ['[v]', '[w]'], 'TOO_MANY_LABELS', '"split" has 1 output, but 2'],
])('rejects in a graph with several inputs: %s', (_what, graph, map, code, message) => {
  const result = planRequest(linked(graph, map));
  expect(told(result.ok ? [] : result.errors)).toEqual([
    expect.objectContaining({
      field: code === 'UNUSED_LABEL' ? '/parameters/map' : '/parameters/filter_complex',
      code,
      message: expect.stringContaining(message),
    }),
  ]);
});

test.each([
  ['[0:v]split=3[a][b][c]', ['[a]', '[b]', '[c]']],
  ['[0:v][1:v][0:v]hstack=inputs=3[v]', '[v]'],
  // ffmpeg connects an unlabelled input to the next matching stream.
  ['[0:v]overlay[v]', '[v]'],
])('accepts the pads of %s', (graph, map) => {
  expect(planRequest(linked(graph, map))).toMatchObject({ ok: true });
});

test.each([
  '[in]null[out]',
  'split[a][b];[a][b]hstack[v]',
  '[0:v]scale=64:64[v]',
  '[v]hflip',
  'color[bg];[bg][film]overlay',
  'nullsrc, split[L1], [L2]overlay, nullsink',
])('a graph of one stream with labels at its ends: %s', (vf) => {
  expect(planRequest(burn(['a.mp4'], vf))).toMatchObject({ ok: true });
});

test.each(['[1:v]hflip', 'split[a][b];[a]hflip[c];[cc][b]overlay', '[a][b]overlay'])(
  'a graph of one stream reads no other: %s',
  (vf) => {
    const result = planRequest(burn(['a.mp4', 'b.mp4'], vf));
    expect(result.ok ? [] : result.errors.map(({ code }) => code)).toContain('UNKNOWN_LABEL');
  },
);

test.each([
  ['overlay', '2 and 1'],
  ['hstack=3', '3 and 1'],
  ['split', '1 and 2'],
  ['split[a][b];[a]null', '1 and 2'],
  ['color', '0 and 1'],
  ['nullsink', '1 and 0'],
  ['null;null', '2 and 2'],
])('rejects a simple filter with unconnected pads: %s', (vf, pads) => {
  const result = planRequest(burn(['a.mp4'], vf));
  expect(told(result.ok ? [] : result.errors)).toEqual([
    expect.objectContaining({
      field: '/parameters/vf',
      code: 'NOT_SIMPLE',
      message: expect.stringContaining(`this graph has ${pads}. "filter_complex" takes others`),
    }),
  ]);
});

test.each([
  ['filters', (i: number) => `nul${i}`],
  ['labels', (i: number) => `[in${i}]null[out${i}]`],
])('checks only some of many graphs with unknown %s', (_what, filter) => {
  const graph = Array.from({ length: 80 }, (_, i) => filter(i)).join(';');
  const result = planRequest({
    input: 'a.mp4',
    output: 'b.mp4',
    parameters: { filter_complex: Array(60).fill(graph) },
  });
  const { length } = result.ok ? [] : result.errors;
  expect(length).toBeGreaterThan(MAX_FIELD_ERRORS);
  expect(length).toBeLessThanOrEqual(2 * MAX_FIELD_ERRORS);
});

/** The text that an error underlines: `‹…›` around it, as in an editor. */
function underlined(filter: string, name: 'vf' | 'filter_complex' = 'vf'): readonly string[] {
  const result = planRequest({ inputs: ['a.mp4', 'b.mp4'], output: 'o.mp4', parameters: { [name]: filter } });
  return (result.ok ? [] : result.errors).map(({ at, code }) => {
    if (at === undefined) return code;
    const [from, to] = [at.offset, at.offset + at.length];
    return `${filter.slice(0, from)}‹${filter.slice(from, to)}›${filter.slice(to)}`;
  });
}

test.each([
  ['an unknown filter', 'scale=2:2,blurr=2', 'scale=2:2,‹blurr›=2'],
  ['an unknown option', 'gblur=sigm=2', 'gblur=‹sigm›=2'],
  ['a wrong value', 'fps=25, gblur=sigma=lots : steps=1', 'fps=25, gblur=sigma=‹lots› : steps=1'],
  ['a wrong value in quotes', "drawtext=text='10\\:00',unsharp=lx='big'", "drawtext=text='10\\:00',unsharp=lx='‹big›'"],
  ['a value too many', 'gblur=1:2:3:4:5', 'gblur=1:2:3:4:‹5›'],
  ['a quote that is never closed', "scale=2:2,drawtext=text='a", "scale=2:2,drawtext=text=‹'›a"],
  ['a value after a named one', 'scale=w=2:h=2:bicubic', 'scale=w=2:h=2:‹b›icubic'],
  ['a filter that is missing', 'scale=2:2,', 'scale=2:2,‹›'],
])('an error is where the graph is wrong: %s', (_what, filter, shown) => {
  expect(underlined(filter)).toEqual([shown]);
});

test.each([
  ['a label that nothing makes', '[0:v]null[a];[a][x]overlay', '[0:v]null[a];[a]‹[x]›overlay'],
  ['an input that is not there', '[0:v][2:v]overlay', '[0:v]‹[2:v]›overlay'],
  ['a label too many', '[0:v]null[v][w]', '[0:v]null[v]‹[w]›'],
])('an error is where the links are wrong: %s', (_what, filter, shown) => {
  expect(underlined(filter, 'filter_complex')).toContain(shown);
});

test('each of several errors of a graph has its own place', () => {
  expect(underlined('blurr=2,gblur=sigm=2')).toEqual(['‹blurr›=2,gblur=sigm=2', 'blurr=2,gblur=‹sigm›=2']);
});
