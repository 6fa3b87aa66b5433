import type { Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { argumentInWords } from './argument-in-words.ts';

type Arguments = Recipe['arguments'];

const SIZE: Arguments = {
  size: { type: 'number', description: 'Megabytes.', required: true, min: 0.1, max: 1000 },
  height: { type: 'number', description: 'Pixels.', min: 2, max: 8192 },
};

const inWords = (words: string, all: Arguments = SIZE) => argumentInWords({ arguments: all }, words);

test('the only number that a person has said is the argument that the recipe needs', () => {
  expect(inWords('make it fit in 8 MB')).toEqual({ name: 'size', value: '8' });
  expect(inWords('smaller than 1,5mb')).toEqual({ name: 'size', value: '1.5' });
  expect(inWords('an mp4 of 25mb')).toEqual({ name: 'size', value: '25' });
});

test('nothing is guessed', () => {
  expect(inWords('smaller file')).toBeUndefined();
  expect(inWords('720 lines in 8 MB')).toBeUndefined();
  expect(inWords('at most 5000 MB')).toBeUndefined();
  expect(inWords('cut at 1:30')).toBeUndefined();
  expect(
    inWords('8 MB', { ...SIZE, length: { type: 'time', description: 'Length.', required: true } }),
  ).toBeUndefined();
});
