import type { ConversionRequest, Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { chosenPart } from './chosen-part.ts';
import { draftFromRequest } from './draft-from-request.ts';

const DURATION = 60;

const partOf = (request: Omit<ConversionRequest, 'output'>, recipe?: Recipe) =>
  chosenPart(draftFromRequest({ output: 'b.mp4', ...request }), recipe, DURATION);

const recipeWith = (parameters: Record<string, string>, ofOutput: Record<string, string> = {}): Recipe =>
  ({
    name: 'own',
    inputs: [{ role: 'film', description: 'A video.', parameters }],
    arguments: {
      start: { type: 'time', description: 'When.', default: '0' },
      length: { type: 'time', description: 'How long.', default: '5' },
      at: { type: 'time', description: 'When.' },
    },
    request: { parameters: ofOutput },
  }) as unknown as Recipe;

test('options of the source or of the output choose the part', () => {
  expect(partOf({ inputs: [{ input: 'a.mov', parameters: { ss: '0:10', t: '20' } }] })).toEqual({ start: 10, end: 30 });
  expect(partOf({ input: 'a.mov', parameters: { ss: '10', to: '15' } })).toEqual({ start: 10, end: 15 });
  expect(partOf({ inputs: [{ input: 'a.mov', parameters: { ss: '50', t: '20' } }] })).toEqual({ start: 50, end: 60 });
});

test('arguments of a recipe choose the part, also with their defaults', () => {
  const gif = recipeWith({ ss: '{{start}}', t: '{{length}}' });
  const preset = { name: 'own', arguments: { start: '10' } };
  expect(partOf({ input: 'a.mov', preset }, gif)).toEqual({ start: 10, end: 15 });
  expect(partOf({ input: 'a.mov', preset: { name: 'own' } }, gif)).toEqual({ start: 0, end: 5 });
});

test('of several parts, it is from the first to the last', () => {
  const keep = [
    { start: 40, end: 45 },
    { start: '0:10', end: 12 },
  ];
  expect(partOf({ input: 'a.mov', cut: { keep } })).toEqual({ start: 10, end: 45 });
});

test('an image is of its time', () => {
  const image = recipeWith({ ss: '{{at}}' }, { 'frames:v': '1' });
  expect(partOf({ input: 'a.mov', preset: { name: 'own', arguments: { at: '30' } } }, image)).toEqual({
    ...{ start: 30, end: 31 },
  });
  expect(partOf({ input: 'a.mov', preset: { name: 'own' } }, image)).toBeUndefined();
});

test('all of a source is no part, nor is what is not known', () => {
  expect(partOf({ input: 'a.mov' })).toBeUndefined();
  expect(partOf({ inputs: [{ input: 'a.mov', parameters: { sseof: '-5' } }] })).toBeUndefined();
  expect(chosenPart(draftFromRequest({ input: 'a.mov', output: 'b.mp4' }), undefined, 0)).toBeUndefined();
});
