import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { film, mistakesIn } from '../support/mistakes.ts';

/** Requests whose output never ends, and such that only look like it. */

const LOOPS = {
  inputs: ['a.mp4', 'b.mp3'],
  output: 'c.mp4',
  parameters: { stream_loop: '-1', map: ['0:v', '1:a'] },
};
const LOOPED = { input: 'title.png', parameters: { loop: '1' } };

test.each<[title: string, ConversionRequest, field: string, fix: string]>([
  ['a looped picture with sound', { inputs: [LOOPED, 'a.mp3'], output: 'b.mp4' }, '/inputs/0/input', '"shortest": ""'],
  ['a looped picture', { inputs: [LOOPED], output: 'b.mp4' }, '/inputs/0/input', 'Send "t" with the seconds'],
  [
    'a looped film with sound',
    {
      inputs: [{ input: 'a.mp4', parameters: { stream_loop: '-1' } }, 'a.mp3'],
      output: 'b.mp4',
      parameters: { map: ['0:v', '1:a'] },
    },
    '/inputs/0/input',
    '"shortest": ""',
  ],
  [
    'silence beside a film',
    film({ filter_complex: 'anullsrc[a]', map: ['0:v', '[a]'] }),
    '/parameters/filter_complex',
    '"shortest": ""',
  ],
  [
    'a film over a generated picture',
    film({ filter_complex: 'color=black:s=640x360[b];[b][0:v]overlay[v]', map: '[v]' }),
    '/parameters/filter_complex',
    '"shortest": ""',
  ],
  [
    'a sound mixed with a tone',
    film({ filter_complex: 'sine=440[s];[0:a][s]amix[a]', map: ['0:v', '[a]'] }),
    '/parameters/filter_complex',
    '"shortest": ""',
  ],
  [
    'two inputs repeated together, which "shortest" cannot end',
    { ...LOOPS, parameters: { ...LOOPS.parameters, shortest: '' } },
    '/inputs/0',
    'Send "t" with the seconds',
  ],
  [
    'a looped picture with looped sound',
    {
      inputs: [LOOPED, { input: 'a.mp3', parameters: { stream_loop: '-1' } }],
      output: 'b.mp4',
      parameters: { shortest: '' },
    },
    '/inputs/0/input',
    'Send "t" with the seconds',
  ],
  [
    'both streams of one repeated film',
    { input: 'a.mp4', output: 'b.mp4', parameters: { stream_loop: '-1', shortest: '' } },
    '/input',
    'Send "t" with the seconds',
  ],
  [
    'a looped picture with generated silence',
    {
      inputs: [LOOPED],
      output: 'b.mp4',
      parameters: { filter_complex: 'anullsrc[a]', map: ['0:v', '[a]'], shortest: '' },
    },
    '/inputs/0/input',
    'Send "t" with the seconds',
  ],
  [
    'two pictures of one source without an end, which "shortest" of their filter does not end',
    film({ filter_complex: 'testsrc,split[a],hflip[b];[a][b]hstack[v]', map: ['[v]', '0:a'] }),
    '/parameters/filter_complex',
    '"shortest": ""',
  ],
  ['sound that is padded', film({ af: 'apad' }), '/parameters/af', '"shortest": ""'],
  ['a filter that repeats for ever', film({ vf: 'loop=-1:250' }), '/parameters/vf', '"shortest": ""'],
])('warns that an output never ends: %s', (_title, request, field, fix) => {
  const [mistake, ...others] = mistakesIn(request);
  expect(others).toEqual([]);
  expect(mistake).toMatchObject({ field, code: 'ENDLESS' });
  expect(mistake?.fix).toContain(fix);
});

test.each<[title: string, ConversionRequest]>([
  ['its duration', { inputs: [LOOPED, 'a.mp3'], output: 'b.mp4', parameters: { t: '5' } }],
  ['its shortest stream', { inputs: [LOOPED, 'a.mp3'], output: 'b.mp4', parameters: { shortest: '' } }],
  ['the duration of its input', { inputs: [{ ...LOOPED, parameters: { loop: '1', t: '3' } }], output: 'b.mp4' }],
  ['its number of frames', { inputs: [LOOPED], output: 'b.mp4', parameters: { 'frames:v': '50' } }],
  [
    'its filter',
    film({ filter_complex: 'color=black:s=640x360[b];[b][0:v]overlay=shortest=1[v]', map: ['[v]', '0:a'] }),
  ],
  ['the duration of its source', film({ filter_complex: 'anullsrc=d=5[a]', map: ['0:v', '[a]'] })],
  [
    'the one input that is not repeated',
    {
      inputs: [{ input: 'a.mp4', parameters: { stream_loop: '-1' } }, 'b.mp3'],
      output: 'c.mp4',
      parameters: { map: ['0:v', '1:a'], shortest: '' },
    },
  ],
  [
    'a generated sound with a duration',
    {
      inputs: [LOOPED],
      output: 'b.mp4',
      parameters: { filter_complex: 'anullsrc=d=5[a]', map: ['0:v', '[a]'], shortest: '' },
    },
  ],
  ['its film, beside a generated picture that is discarded', film({ filter_complex: 'color,nullsink' })],
  ['the end of its film, with sound that is padded', film({ af: 'apad', shortest: '' })],
  ['a film that is looped twice', { input: 'a.mp4', output: 'b.mp4', parameters: { stream_loop: '2' } }],
])('an output ends with %s', (_title, request) => {
  expect(mistakesIn(request).filter(({ code }) => code === 'ENDLESS')).toEqual([]);
});

test('a loop without a size repeats nothing, and is not endless', () => {
  expect(mistakesIn({ input: 'a.png', output: 'b.mp4', parameters: { vf: 'loop=-1' } })).toEqual([]);
});
