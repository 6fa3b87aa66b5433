import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { corrected, film, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Filtergraphs with one mistake in their links or lists, as people write them, and what one fix makes of them. */

const GIF = '[0:v]fps=10,scale=160:-1[x];[x]split[a][b];[a]palettegen[p];';
const CHAIN = 'fps=10,scale=160:-1,split[a][b];[a]palettegen[p];';
const TWO = ['a.mp4', 'b.mp4'];

const graph = (filter_complex: string, map?: string | string[]): Parameters => ({
  filter_complex,
  ...(map === undefined ? {} : { map }),
});

test.each<[sent: ConversionRequest, meant: Parameters, lacking: string, unused: string]>([
  [
    film(graph(`${GIF}[b]paletteuse`), 'b.gif'),
    graph(`${GIF}[b][p]paletteuse`),
    'The filter "paletteuse" takes 2 inputs and lacks 1',
    '[p]',
  ],
  [film(graph(`${GIF}[p]paletteuse`), 'b.gif'), graph(`${GIF}[b][p]paletteuse`), 'lacks 1', '[b]'],
  [film(graph(`${GIF}[b]paletteuse[v]`, '[v]'), 'b.gif'), graph(`${GIF}[b][p]paletteuse[v]`, '[v]'), 'lacks 1', '[p]'],
  [film(graph(`${GIF}[b]paletteuse[v]`), 'b.gif'), graph(`${GIF}[b][p]paletteuse[v]`, ['[v]']), 'lacks 1', '[p]'],
  [film({ vf: `${CHAIN}[b]paletteuse` }, 'b.gif'), { vf: `${CHAIN}[b][p]paletteuse` }, 'lacks 1', '[p]'],
  [film({ vf: `${CHAIN}[b]paletteuse[v]` }, 'b.gif'), { vf: `${CHAIN}[b][p]paletteuse[v]` }, 'lacks 1', '[p]'],
  [
    film({ vf: 'split[a][b];[a]crop=iw/2[l];[b]hflip[r];[l]hstack' }),
    { vf: 'split[a][b];[a]crop=iw/2[l];[b]hflip[r];[l][r]hstack' },
    'The filter "hstack" takes 2 inputs and lacks 1',
    '[r]',
  ],
  [
    {
      inputs: TWO,
      output: 'c.mp4',
      parameters: graph('[1:v]scale=160:-2[logo];[0:v]overlay=10:10[v]', ['[v]', '0:a']),
    },
    graph('[1:v]scale=160:-2[logo];[0:v][logo]overlay=10:10[v]', ['[v]', '0:a']),
    'The filter "overlay" takes 2 inputs and lacks 1',
    '[logo]',
  ],
  [
    {
      inputs: TWO,
      output: 'c.mp4',
      parameters: graph('[1:v]scale=160:-2[logo];[0:v]hflip[bg];[logo]overlay[v]', ['[v]', '0:a']),
    },
    graph('[1:v]scale=160:-2[logo];[0:v]hflip[bg];[bg][logo]overlay[v]', ['[v]', '0:a']),
    'lacks 1',
    '[bg]',
  ],
  [
    { inputs: TWO, output: 'c.m4a', parameters: graph('[0:a]volume=0.5[a];[1:a]volume=0.3[b];[a]amix[m]', '[m]') },
    graph('[0:a]volume=0.5[a];[1:a]volume=0.3[b];[a][b]amix[m]', '[m]'),
    'The filter "amix" takes 2 inputs and lacks 1',
    '[b]',
  ],
  [
    film(graph('[0:v]scale=640:-2[small];hflip[v]', '[v]')),
    graph('[0:v]scale=640:-2[small];[small]hflip[v]', '[v]'),
    'The filter "hflip" takes 1 input and lacks 1',
    '[small]',
  ],
])('an unused output goes where a filter lacks an input: %j', (sent, meant, lacking, unused) => {
  const mistakes = mistakesIn(sent);
  expect(mistakes.map(({ code }) => code)).toEqual(['UNUSED_LABEL']);
  expect(mistakes[0]?.message).toContain(lacking);
  expect(mistakes[0]?.message).toMatch(`nothing uses "${unused}".`);
  expect(corrected(sent, 1)).toEqual({ ...sent, parameters: meant });
});

test.each<[sent: ConversionRequest, fix: string]>([
  // The graph is complete, so the output can only be meant for "map".
  [film(graph('[0:v]hflip[v];[0:a]volume=2[w]', '[v]')), 'Send "map": ["[v]","[w]"].'],
  // A picture that is split is not two copies if an overlay joins it again.
  [film(graph('[0:v]split[a][b];[a]gblur[c];[c][b]overlay[v];[0:a]volume=2[w]', '[v]')), 'Send "map": ["[v]","[w]"].'],
  // Two copies are seldom meant as two streams of one film.
  [
    film(graph('[0:v]split[v][w]', '[v]')),
    'For a file of each, send "outputs": [{"output":"…","parameters":{"map":"[v]"}},{"output":"…","parameters":{"map":"[w]"}}] instead of "output". For one file with all of them: "map": ["[v]","[w]"]. For one alone, leave "split" out.',
  ],
  // The unused output is that of the filter that lacks an input.
  [film(graph('[0:v]hflip[x];[x]overlay[v]')), 'Send "map": ["[v]","0:a?"] as well.'],
  // Sound cannot go where a picture is missing.
  [film(graph('[0:a]volume=2[a];[0:v]overlay[v]', '[v]')), 'Send "map": ["[v]","[a]"].'],
  // A GIF has no sound.
  [film(graph(`${GIF}[b][p]paletteuse[v]`), 'b.gif'), 'Send "map": "[v]" as well.'],
])('an unused output is mapped otherwise: %j', (sent, fix) => {
  expect(mistakesIn(sent)).toMatchObject([{ code: 'UNUSED_LABEL', fix }]);
});

test('a filter of the wrong option becomes a complex graph, without sound for a GIF', () => {
  expect(mistakesIn(film({ vf: '[0:v:1]hflip' }, 'b.gif'))).toMatchObject([
    { fix: 'Send "filter_complex": "[0:v:1]hflip[v]" and "map": "[v]", and leave "vf" out.' },
  ]);
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

test.each<[sent: Parameters, message: string, fix?: string]>([
  // What is in quotes, and calls in expressions, hide no error.
  [{ vf: 'scale=foo=1:h=ceil(ih)' }, 'The filter "scale" has no option "foo".'],
  [{ vf: 'rotate=a=1:ow=rotw(a)' }, 'The expression "rotw(a)" of "rotate=ow" uses the unknown name "a".'],
  [{ vf: "drawtext=text='the fade effect':foo=1" }, 'The filter "drawtext" has no option "foo".'],
  [{ vf: "drawtext=text='see, scale(1)':foo=1" }, 'The filter "drawtext" has no option "foo".'],
  [{ vf: 'zoompan=z=1.5:x=z' }, 'The expression "z" of "zoompan=x" uses the unknown name "z".'],
  // Without this check, ffmpeg rejects the name in the job.
  [{ vf: 'crop=w=foo:h=2' }, 'The expression "foo" of "crop=w" uses the unknown name "foo".'],
  [{ vf: 'rotate=foo' }, 'The expression "foo" of "rotate=angle" uses the unknown name "foo".'],
  [{ vf: 'drawtext=text=hi:x=foo' }, 'The expression "foo" of "drawtext=x" uses the unknown name "foo".'],
  [{ af: 'volume=foo' }, 'The expression "foo" of "volume=volume" uses the unknown name "foo".'],
  [
    { vf: String.raw`drawtext=text='100\%'` },
    'The percent sign in "100%" of "drawtext=text" needs a backslash; without it, it begins an expansion such as %{pts}.',
    JSON.stringify(String.raw`drawtext=text=100\\\\%`).replace(/^/, 'Send "vf": ').replace(/$/, '.'),
  ],
  // The option filters the picture of the input too.
  [
    { ...graph('[0:v]hflip[v]', ['[v]', '0:v', '0:a']), vf: 'vflip' },
    '"vf" cannot filter the video that "filter_complex" makes.',
    'Leave "vf" out, and write its filters at the end of "filter_complex".',
  ],
  [
    { ...graph('[0:v]hflip[v]', ['[v]', '0:a']), vf: 'vflip' },
    '"vf" cannot filter the video that "filter_complex" makes.',
    'Send "filter_complex": "[0:v]hflip,vflip[v]", and leave "vf" out.',
  ],
])('%j has the error "%s"', (sent, message, fix) => {
  const mistakes = mistakesIn(film(sent));
  expect(mistakes.map((one) => one.message)).toEqual([message]);
  if (fix !== undefined) expect(mistakes[0]?.fix).toEqual(fix);
});
