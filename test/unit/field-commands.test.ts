import { expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { errorCodesOf, errorsOf, requestWith, validPlan } from '../support/planning.ts';

/** What people send in copied commands. */

const argv = (request: ConversionRequest): string => validPlan(request).passes[0]?.join(' ') ?? '';

const graphIn = (filter_complex: string, map = '[v]'): string =>
  argv({ inputs: ['a.mp4', 'b.mp4'], output: 'c.mp4', parameters: { filter_complex, map } });

test.each([
  'split=2[m][v],[v]negate[v],[m][v]hstack[v]',
  '[0:v]split[a][b];[a]hflip[a];[a][b]hstack[v]',
  '[0:v]scale=64:64[v];[v]hflip[v];[v]vflip[v]',
])('a label can be made again once it is taken: %s', (graph) => {
  expect(graphIn(graph)).toContain('-map [v]');
});

test.each<[graph: string, code: string]>([
  ['[0:v]hflip[a];[1:v]vflip[a];[a]null[v]', 'LABEL_TWICE'],
  ['[0:v]hflip[a];[a]null[v];[a]null[w]', 'LABEL_TWICE'],
  ['[x]hflip[v]', 'UNKNOWN_LABEL'],
])('rejects %s with %s', (filter_complex, code) => {
  expect(errorCodesOf(requestWith({ filter_complex, map: '[v]' }))).toContain(`/parameters/filter_complex ${code}`);
});

test.each([
  ['v:0', '0:v:0'],
  [':v', '0:v'],
  ['-:s', '-0:s'],
  [':1?', '0:1?'],
  ['a', '0:a'],
  ['-s', '-0:s'],
  ['v?', '0:v?'],
  ['#0x101', '0:#0x101'],
  ['i:257', '0:i:257'],
  ['m:language:eng', '0:m:language:eng'],
  ['1:a', '1:a'],
])('a map of %s means %s', (map, canonical) => {
  expect(argv({ inputs: ['a.ts', 'b.ts'], output: 'c.mkv', parameters: { map: ['0:v', map] } })).toContain(
    `-map ${canonical} `,
  );
});

test.each(['video', '-', ':', ':x', 'x:0', 'v:x', '-y', '#'])('rejects the map %s', (map) => {
  expect(errorsOf(requestWith({ map }))).not.toEqual([]);
});

test('a label that is a stream specifier means a stream of the first input', () => {
  expect(graphIn('[v]hflip[v0]', '[v0]')).toContain('[0:v]hflip[v0]');
  expect(graphIn('[:v]hflip[v]')).toContain('[0:v]hflip[v]');
  expect(graphIn('[:0]hflip[v]')).toContain('[0:0]hflip[v]');
  expect(graphIn('[#0x100]hflip[v]')).toContain('[0:#0x100]hflip[v]');
});

test.each([
  ['mov,mp4,m4a,3gp,3g2,mj2', 'mov'],
  ['matroska,webm', 'matroska'],
  ['mp4', 'mov'],
  ['mkv', 'matroska'],
  ['ts', 'mpegts'],
])('an input format of %s means %s', (f, demuxer) => {
  expect(argv({ inputs: [{ input: 'a', parameters: { f } }], output: 'b.mkv' })).toContain(`-f ${demuxer} -protocol`);
});

test.each(['concat', 'mov,concat', 'hls', 'mp4,hls', ',mov', 'mov,'])('rejects the input format %s', (f) => {
  expect(errorCodesOf({ inputs: [{ input: 'a', parameters: { f } }], output: 'b.mkv' })).toEqual([
    '/inputs/0/parameters/f UNKNOWN_FORMAT',
  ]);
});

test('a .mka holds sound alone, unless the client maps streams', () => {
  expect(argv({ input: 'a.mp4', output: 'b.mka' })).toMatch(/-vn -sn .*-f matroska/);
  expect(argv({ input: 'a.mp4', output: 'b.mka', parameters: { map: '0' } })).not.toContain('-vn');
  expect(argv({ input: 'a.mp4', output: 'b.mkv' })).not.toContain('-vn');
});

test.each(['tinterlace=4:vlpf', 'tinterlace=mode=merge:flags=vlpf+exact_tb', 'rotate=a=sqrt(2)', 'eq=gamma=sqrt(2)'])(
  'allows %s',
  (vf) => expect(errorsOf(requestWith({ vf }))).toEqual([]),
);

test.each(['atempo=sqrt(2)', 'atempo=max(1\\,2)', 'volume=sqrt(2)', 'atempo=PI/2'])('allows %s', (af) =>
  expect(errorsOf(requestWith({ af }))).toEqual([]),
);

test.each([
  'atempo=while(1\\,1)',
  'atempo=print(2)',
  'atempo=root(1\\,2)',
  'atempo=sqrt(while(1\\,1))',
  'atempo=taylor(1\\,2)',
  'atempo=unknown(1)',
])('rejects %s', (af) => expect(errorCodesOf(requestWith({ af }))).toEqual(['/parameters/af BAD_EXPRESSION']));

test.each(['tinterlace=4:while(1\\,1)', 'tinterlace=4:flags=x', 'tinterlace=4:flags=vlpf+'])('rejects %s', (vf) =>
  expect(errorCodesOf(requestWith({ vf }))).toEqual(['/parameters/vf BAD_VALUE']),
);

test.each([
  'Linux Libertine O-40\\\\:style=Semibold',
  'DejaVu Sans\\\\:bold',
  'DejaVu Sans-24',
  'Sans\\\\:weight=200\\\\:size=30',
])('fontfile takes the fontconfig pattern %s', (pattern) => {
  const { passes } = validPlan(requestWith({ vf: `drawtext=text=x:fontfile=${pattern}` }));
  expect(passes[0]?.join(' ')).toContain(`fontfile=${pattern}`);
});

test.each([
  'Sans\\\\:file=/etc/hosts',
  'Sans\\\\:file=x',
  'Sans\\\\:style=../x',
  '/etc/hosts\\\\:bold',
  'x.ttf\\\\:bold',
  ':bold',
])('fontfile rejects the pattern %s', (pattern) =>
  expect(errorsOf(requestWith({ vf: `drawtext=text=x:fontfile=${pattern}` }))).not.toEqual([]),
);

test.each([
  ['showcqt=fontfile=my.ttf:axisfile=axis.png', ['my.ttf'], 'showcqt=fontfile=in/fonts/2.ttf:axisfile=in/1.png'],
  ['showcqt=fontfile=/usr/share/fonts/x.ttf', [], 'showcqt=fontfile=/usr/share/fonts/x.ttf'],
])('%s reads files of the request', (graph, fonts, canonical) => {
  const request = { inputs: ['a.mp4', 'axis.png', ...fonts], output: 'c.mp4' };
  expect(argv({ ...request, parameters: { filter_complex: `[0:a]${graph}[v]`, map: '[v]' } })).toContain(canonical);
});

test.each([
  ['cellauto=f=pattern.txt:s=200x400', 'cellauto=f=in/1.txt'],
  ['cellauto=pattern.txt', 'cellauto=filename=in/1.txt'],
  ['life=f=pattern.txt:s=300x300', 'life=f=in/1.txt'],
])('%s reads a file of the request', (graph, canonical) => {
  const request = { inputs: ['a.mp4', 'pattern.txt'], output: 'c.mp4' };
  expect(argv({ ...request, parameters: { filter_complex: `${graph}[v]`, map: '[v]' } })).toContain(canonical);
});

test.each<Parameters>([
  { hide_banner: '' },
  { loglevel: 'error' },
  { v: 'level+warning' },
  { v: '-8' },
  { n: '' },
  { stats: 'true' },
  { nostats: '' },
  { nostdin: '' },
  { stats_period: '0.5' },
])('drops %o with a warning', (parameters) => {
  const { passes, warnings } = validPlan(requestWith({ 'c:v': 'libx264', ...parameters }));
  const field = `/parameters/${Object.keys(parameters)[0]}`;
  expect(warnings).toEqual([{ field, code: 'NO_EFFECT', message: expect.any(String) }]);
  expect(passes).toEqual(validPlan(requestWith({ 'c:v': 'libx264' })).passes);
});

test('drops the flags of the scaler at an input with a warning', () => {
  const inputs = [{ input: 'a.mp4', parameters: { sws_flags: 'lanczos', v: 'error' } }];
  const { passes, warnings } = validPlan({ inputs, output: 'b.mp4' });
  expect(warnings.map(({ field }) => field)).toEqual(['/inputs/0/parameters/sws_flags', '/inputs/0/parameters/v']);
  expect(passes[0]?.join(' ')).not.toContain('lanczos');
});

test.each<Parameters>([
  { hide_banner: '/x.mkv' },
  { v: 'libx264' },
  { loglevel: 'debug:/x' },
  { report: '' },
  { progress: 'x' },
  { n: 'x' },
])('rejects %o', (parameters) => {
  expect(errorsOf(requestWith(parameters))).toMatchObject([{ code: 'OPTION_NOT_ALLOWED' }]);
});

test.each<[parameters: Parameters, message: RegExp]>([
  [{ attach: 'x.ttf' }, /reads a file that is not an input/],
  [{ filter_complex_script: 'g.txt' }, /"filter_complex" and "vf" take the graph/],
  [{ filter_script: 'g.txt' }, /"filter_complex" and "vf" take the graph/],
  [{ hwaccel: 'cuda' }, /the operator has allowed none/],
  [{ ss: '-1' }, /"sseof" takes a time before the end/],
  [{ 'c:v': 'libx264', 'x264-params': 'no-scenecut:keyint=25' }, /a "=" or a value is missing/],
])('%o: %s', (parameters, message) => {
  const errors = errorsOf(requestWith(parameters));
  expect(errors.map((error) => error.message).join()).toMatch(message);
});

test.each([
  ['tee', /several outputs, which are "outputs"/],
  ['null', /discards its output; "framemd5" writes a checksum/],
  ['ssegment', /stream; "segment" writes files/],
])('the format %s is rejected with what to send', (format, message) => {
  for (const request of [{ format }, { parameters: { f: format } }])
    expect(errorsOf({ input: 'a.mp4', output: 'b.x', ...request })).toEqual([
      expect.objectContaining({ code: 'FORMAT_NOT_ALLOWED', message: expect.stringMatching(message) }),
    ]);
});
