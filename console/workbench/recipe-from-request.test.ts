import { expect, test } from 'vitest';
import { recipeBody } from '../../packages/contract/src/wire/recipe.ts';
import { recipeFromRequest, recipeName } from './recipe-from-request.ts';

const CALLED = { title: 'For the shop', version: 1 };

test('a recipe has the options of the request, for any file', () => {
  const recipe = recipeFromRequest({ input: 'in.mov', output: 'out.webm', parameters: { crf: '30' } }, CALLED);
  expect(recipeBody.parse(recipe)).toMatchObject({
    inputs: [{ role: 'source' }],
    outputs: ['webm'],
    request: { parameters: { crf: '30' } },
  });
});

test('several inputs and outputs keep their own options', () => {
  const recipe = recipeFromRequest(
    {
      inputs: ['a.png', { input: 'b.mov', parameters: { ss: '2' } }],
      outputs: [{ output: 'a.mp4' }, { output: 'b.jpg', parameters: { 'frames:v': '1' } }],
      join: 'encode',
    },
    CALLED,
  );
  expect(recipeBody.parse(recipe)).toMatchObject({
    inputs: [{ role: 'source' }, { role: 'source2', parameters: { ss: '2' } }],
    request: { join: 'encode', outputs: [{ role: 'output1' }, { suffix: '-2.jpg', parameters: { 'frames:v': '1' } }] },
  });
});

test('the name of a recipe comes from its title', () => {
  expect(recipeName('For the shop!')).toBe('for-the-shop');
  expect(recipeName('720p für Anna')).toBe('my-720p-fur-anna');
  expect(recipeName('!')).toBe('');
});
