import { expect, test } from 'vitest';
import { corrected, film, mistakesIn, type Parameters } from '../support/mistakes.ts';

test.each<[mistake: Parameters, meant: Parameters, output?: string]>([
  [{ crf: '75' }, { crf: '23' }],
  [{ crf: '52' }, { crf: '23' }],
  [
    { 'c:v': 'libx264', crf: '-23' },
    { 'c:v': 'libx264', crf: '23' },
  ],
  [
    { 'c:v': 'libx264', crf: '-5' },
    { 'c:v': 'libx264', crf: '23' },
  ],
  [
    { 'c:v': 'libx264', qp: '100' },
    { 'c:v': 'libx264', qp: '23' },
  ],
  [
    { 'c:v': 'libx265', crf: '80' },
    { 'c:v': 'libx265', crf: '28' },
  ],
  [{ crf: '100' }, { crf: '31' }, 'b.webm'],
  [
    { 'c:v': 'libx265', 'x265-params': 'keyint=60:crf=75' },
    { 'c:v': 'libx265', 'x265-params': 'keyint=60:crf=28' },
  ],
  [
    { 'c:v': 'mpeg4', 'q:v': '500' },
    { 'c:v': 'mpeg4', 'q:v': '3' },
  ],
  [{ compression_level: '100' }, { compression_level: '8' }, 'b.flac'],
])('a quality after the end of its scale becomes a usual one: %j', (mistake, meant, output) => {
  expect(corrected(film(mistake, output))).toEqual(film(meant, output));
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
