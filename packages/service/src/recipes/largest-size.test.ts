import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import { expect, test } from 'vitest';
import { applyRecipe, builtIn, expandRequest } from '../../../../test/support/apply-recipe.ts';

const FACTS = { duration: 60, width: 854, height: 480, fps: 24, bitrate: 5_000_000, sounds: 1 };

const COPY: Recipe = { ...builtIn('target-size'), name: 'house-style' };

const REQUEST = { input: 'a.mp4', output: 'b.mp4', preset: { name: 'house-style', arguments: { size: 5.5 } } };

test('a copy of "target-size" keeps to its size too, unless the client decides how many bits the video has', () => {
  const sizeOf = (more: Partial<ConversionRequest> = {}) =>
    applyRecipe({ ...REQUEST, ...more }, FACTS, COPY).request.preset?.maxBytes;
  expect(sizeOf()).toBe(5_500_000);
  expect(sizeOf({ parameters: { 'b:a': '96k' } })).toBe(5_500_000);
  expect(sizeOf({ parameters: { 'b:v': '2M' } })).toBeUndefined();
});

test('a largest size that is not a whole number of bytes is rejected', () => {
  const recipe: Recipe = { ...COPY, request: { ...COPY.request, maxBytes: '{{size}}' } };
  expect(expandRequest(REQUEST, FACTS, recipe)).toMatchObject({
    ok: false,
    errors: [
      {
        ...{ field: '/preset/arguments/size', code: 'BAD_ARGUMENT' },
        message: 'The recipe "house-style" needs a largest size that is a whole number of bytes, from 1.',
      },
    ],
  });
});
