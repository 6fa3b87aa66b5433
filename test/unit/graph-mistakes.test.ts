import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { film, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Filtergraphs with one mistake in their links or lists, as people write them. */

const GIF = '[0:v]fps=10,scale=160:-1[x];[x]split[a][b];[a]palettegen[p];';
const TWO = ['a.mp4', 'b.mp4'];

const graph = (filter_complex: string, map?: string | string[]): Parameters => ({
  filter_complex,
  ...(map === undefined ? {} : { map }),
});

test.each<[sent: ConversionRequest, unused: string]>([
  [film(graph(`${GIF}[b]paletteuse`), 'b.gif'), '[p]'],
  [film(graph('[0:v]hflip[v];[0:a]volume=2[w]', '[v]')), '[w]'],
  [film(graph('[0:v]split[v][w]', '[v]')), '[w]'],
  [film(graph('[0:v]hflip[x];[x]overlay[v]')), '[v]'],
])('an output that nothing uses is named: %j', (sent, unused) => {
  expect(mistakesIn(sent)).toMatchObject([
    { code: 'UNUSED_LABEL', message: expect.stringContaining(`an output "${unused}" that "map" does not select`) },
  ]);
});

test.each<[parameters: Parameters, code: string, message: string]>([
  [{ af: 'amix=inputs=2' }, 'NOT_SIMPLE', 'this graph has 2 and 1. "filter_complex" takes others'],
  [{ vf: 'overlay=10:10' }, 'NOT_SIMPLE', 'this graph has 2 and 1. "filter_complex" takes others'],
  [{ vf: '[0:v:1]hflip' }, 'UNKNOWN_LABEL', '"vf" cannot use streams of inputs; "filter_complex" can'],
  [{ vf: 'volume=2' }, 'WRONG_KIND', 'The filter "volume" is for audio, but "vf" filters video'],
  [graph('[0:v]volume=2[a]', '[a]'), 'WRONG_KIND', 'Input 0 of the filter "volume" takes audio, and [0:v] is video'],
  [graph('[0:v:ger]hflip[v]', '[v]'), 'BAD_SPECIFIER', 'The label "[0:v:ger]" has no valid stream specifier'],
])('%j says what is wrong with the streams of a graph', (parameters, code, message) => {
  expect(mistakesIn(film(parameters))).toMatchObject([{ code, message: expect.stringContaining(message) }]);
});

test.each<[parameters: Parameters, code: string, message: string]>([
  [{ vf: 'crop=100,100' }, 'UNKNOWN_FILTER', '"," separates filters, and ":" the values of a filter'],
  [{ vf: 'subtitles=C:/talk.srt' }, 'STORAGE_NOT_ALLOWED', '"C:/" is a drive of another machine.'],
  [{ vf: 'subtitles=filename=C:\\talk.srt:si=1' }, 'STORAGE_NOT_ALLOWED', '"C:\\" is a drive of another machine.'],
  [{ vf: "hflip,subtitles='C\\:/talk.srt',vflip" }, 'STORAGE_NOT_ALLOWED', '"C:/" is a drive of another machine.'],
  [{ vf: 'subtitles=file:talk.srt' }, 'STORAGE_NOT_ALLOWED', '"file:" is a protocol, not a path.'],
  [{ vf: 'setpts=0.5PTS' }, 'BAD_EXPRESSION', 'contains "0.5PTS", which is not allowed'],
  [{ g: '2s' }, 'BAD_VALUE', '"g" must be a number, not "2s".'],
  [{ 'frames:v': '10 frames' }, 'BAD_VALUE', '"frames:v" must be a whole number, not "10 frames".'],
  [{ 'b:v': '2 Mbps' }, 'BAD_VALUE', 'not "2 Mbps". Units are k, M and G.'],
  [{ crf: '-5' }, 'OUT_OF_RANGE', '"crf" of libx264 must be 0 to 51, not "-5".'],
  [{ async: '1' }, 'OPTION_NOT_ALLOWED', 'the filter "aresample", as "aresample=async=1" in "af"'],
])('%j says what is wrong, and nothing else', (parameters, code, message) => {
  const found = mistakesIn(film(parameters));
  expect(found).toMatchObject([{ code, message: expect.stringContaining(message) }]);
  if (code === 'BAD_VALUE') expect(found[0]?.message.includes('Units')).toBe(message.includes('Units'));
});

test.each([
  ['[0:v][1:v][0:a][1:a]concat=n=2:v=1:a=1[v][a]', 'WRONG_KIND'],
  ['[0:v]hflip[x];[0:a]volume=2[y];[y][x][1:a][1:v]concat=n=2:v=1:a=1[v][a]', 'WRONG_KIND'],
  ['[0][1]concat=n=2:v=1:a=1[v][a]', 'WRONG_ORDER'],
  ['[0:v][0:a][1:v][1:a]concat=n=2[v];[0:a]anull[a]', 'TOO_MANY_LABELS'],
])('the inputs of concat come part by part: %s', (filter_complex, code) => {
  const parameters = { filter_complex, map: ['[v]', '[a]'] };
  const [mistake, ...others] = mistakesIn({ inputs: TWO, output: 'c.mp4', parameters });
  expect(others).toEqual([]);
  expect(mistake).toMatchObject({ code, message: expect.stringContaining('of the first part, then of the second') });
});

test.each([
  'pan=stereo:FL=FC+0.5*FL:FR=FC+0.5*FR',
  'pan=stereo,FL=FC+0.5*FL,FR=FC+0.5*FR',
  'pan=stereo;FL=FC+0.5*FL;FR=FC+0.5*FR',
  'pan=stereo FL=FC+0.5*FL FR=FC+0.5*FR',
  'pan=stereo|FL=FC:FR=FC',
  'pan=2:c0=c0:c1=c1',
  'pan=FL=FC|FR=FC',
  'pan=stereo|FL=FC+0,5*FL|FR=FC',
  'channelmap=0-FL,1-FR',
  'adelay=500:500',
  'adelay=500;500',
  'aformat=sample_rates=44100,48000',
  'aeval=val(0):val(1)',
  'equalizer=f=1000|t=q|w=1|g=3',
  'highpass 60 gain -6 rate -v 44100',
])('rejects a filter of sound with wrong separators: %s', (af) => {
  expect(mistakesIn(film({ af }, 'b.m4a'))).not.toEqual([]);
});

test.each([
  'format=yuv420p,yuv444p,hflip',
  'format=pix_fmts=rgb24:bgr24',
  'videoscale ! videorate ! video/x-raw,width=320,height=180,framerate=10/1',
  'drawtext=text=hi:fontcolor=rgb(255,0,0)',
  'drawbox=color=hsl(120,50%,50%)',
  'scale=1280:720 fps=25',
  'scale=1280:720|fps=25',
  'hflip vflip',
  'fps=30,',
  'scale(640,-2)',
])('rejects a filter of pictures in another syntax: %s', (vf) => {
  expect(mistakesIn(film({ vf }))).not.toEqual([]);
});

test.each([
  'pan=stereo|c0<c0+c2|c1<c1+c2',
  'pan=mono|c0=0.5*c0+0.5*c1,volume=2',
  'adelay=500:1',
  'adelay=500|500',
  'aformat=sample_fmts=s16:channel_layouts=stereo,volume=2',
  'aecho=0.8:0.9:1000:0.3',
])('nothing is wrong with %s', (af) => {
  expect(mistakesIn(film({ af }, 'b.m4a'))).toEqual([]);
});

test.each<[sent: Parameters, message: string]>([
  // What is in quotes, and calls in expressions, hide no error.
  [{ vf: 'scale=foo=1:h=ceil(ih)' }, 'The filter "scale" has no option "foo".'],
  [{ vf: 'rotate=a=1:ow=foo(a)' }, 'The expression "foo(a)" of "rotate=ow" calls the unknown function "foo".'],
  [{ vf: "drawtext=text='the fade effect':foo=1" }, 'The filter "drawtext" has no option "foo".'],
  [{ vf: "drawtext=text='see, scale(1)':foo=1" }, 'The filter "drawtext" has no option "foo".'],
  [
    { vf: String.raw`drawtext=text='100\%'` },
    'The expression "100%" of "drawtext=text" contains a "%" without "{": a percent sign needs a backslash.',
  ],
  // The option filters the picture of the input too.
  [
    { ...graph('[0:v]hflip[v]', ['[v]', '0:v', '0:a']), vf: 'vflip' },
    '"vf" cannot filter the video that "filter_complex" makes. Its filters belong at the end of "filter_complex".',
  ],
])('%j has the error "%s"', (sent, message) => {
  expect(mistakesIn(film(sent)).map((one) => one.message)).toEqual([message]);
});
