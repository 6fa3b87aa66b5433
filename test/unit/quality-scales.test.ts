import { expect, test } from 'vitest';
import { film, mistakesIn, type Parameters } from '../support/mistakes.ts';

test.each<[mistake: Parameters, output?: string]>([
  [{ crf: '52' }],
  [{ 'c:v': 'libx264', crf: '-23' }],
  [{ 'c:v': 'libx264', qp: '100' }],
  [{ 'c:v': 'libx265', crf: '80' }],
  [{ crf: '100' }, 'b.webm'],
  [{ 'c:v': 'libx265', 'x265-params': 'keyint=60:crf=75' }],
  [{ compression_level: '100' }, 'b.flac'],
])('a quality beyond its scale gets no bound, which nobody means: %j', (parameters, output) => {
  const [mistake, ...others] = mistakesIn(film(parameters, output));
  expect(others).toEqual([]);
  expect(mistake).toMatchObject({
    code: 'OUT_OF_RANGE',
    message: expect.stringMatching(/On this scale, .* are usual\.$/),
  });
  expect(mistake?.fix).toBeUndefined();
});

test('says which end of a scale is the better one', () => {
  expect(mistakesIn(film({ crf: '75' }))).toMatchObject([
    {
      message:
        '"crf" of libx264 must be 0 to 51, not "75". On this scale, 0 is the best quality, 51 the worst, and 18 to 28 are usual.',
    },
  ]);
});

test.each<[Parameters, output?: string]>([
  [{ crf: '51' }],
  [{ crf: '17.5' }],
  [{ 'c:v': 'mpeg4', 'q:v': '31' }],
  [{ 'q:a': '9' }, 'b.mp3'],
  [{ compression_level: '12' }, 'b.flac'],
])('accepts each end of a scale: %j', (parameters, output) => {
  expect(mistakesIn(film(parameters, output))).toEqual([]);
});
