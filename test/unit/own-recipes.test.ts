import { expect, test } from 'vitest';
import type { Caller } from '../../packages/contract/src/domain/client.ts';
import type { Recipe } from '../../packages/contract/src/domain/recipe.ts';
import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import { clientRecipes, recipeOperations } from '../../packages/service/src/recipes/operations.ts';
import type { OwnRecipes, StoreResult } from '../../packages/service/src/recipes/ports.ts';

const AMY = { clientId: 'amy' } as Caller;

const HOUSE_STYLE: Recipe = {
  name: 'house-style',
  version: 1,
  title: 'House style',
  description: 'The format of our intranet.',
  words: ['intranet'],
  inputs: [{ role: 'film', description: 'A film.' }],
  outputs: ['mp4'],
  arguments: {},
  request: { parameters: { 'c:v': 'libx264' } },
};

function operations(result: StoreResult = 'created') {
  const stored: Recipe[] = [];
  const own: OwnRecipes = {
    stampOf: async (clientId) => (clientId === 'amy' && stored.length > 0 ? String(stored.length) : ''),
    list: async (clientId) => (clientId === 'amy' ? stored : []),
    put: async (_clientId, recipe) => {
      stored.push(recipe);
      return result;
    },
    remove: async () => false,
  };
  const sharedNames = new Set(BUILT_IN.map(({ name }) => name));
  return recipeOperations({ recipesOf: clientRecipes(BUILT_IN, own), own, sharedNames });
}

test('a stored recipe is found by its words, by its client alone', async () => {
  const recipes = operations();
  expect(await recipes.put(AMY, HOUSE_STYLE)).toEqual({ recipe: { ...HOUSE_STYLE, source: 'own' }, isNew: true });
  const found = await recipes.find(AMY, { words: 'for our intranet' });
  expect(found.isClose).toBe(true);
  expect(found.recipes[0]).toMatchObject({ name: 'house-style', source: 'own' });
  const ofBob = await recipes.find({ clientId: 'bob' } as Caller, { words: 'for our intranet' });
  expect(ofBob.recipes.map(({ name }) => name)).not.toContain('house-style');
});

test.each([
  ['the name of a recipe that all clients have', { name: 'gif' }, 'created', { code: 'RECIPE_CONFLICT' }],
  ['a version that is not greater', {}, { newestVersion: 4 }, { code: 'RECIPE_CONFLICT', message: /"version": 5/ }],
  ['one recipe too many', {}, 'full', { code: 'TOO_MANY_RECIPES' }],
  ['a name that no path has', { name: 'House Style' }, 'created', { code: 'INVALID_REQUEST' }],
  ['too many bytes', { description: 'x'.repeat(40_000) }, 'created', { code: 'INVALID_REQUEST' }],
  [
    'a name that nothing defines',
    { request: { parameters: { vf: 'scale=-2:{{heigth}}' } } },
    'created',
    { code: 'INVALID_REQUEST' },
  ],
] as const)('%s is rejected', async (_what, change, result, { code, ...rest }) => {
  const put = operations(result).put(AMY, { ...HOUSE_STYLE, ...change });
  await expect(put).rejects.toMatchObject({ code });
  if ('message' in rest) await expect(put).rejects.toThrow(rest.message);
});

test('only recipes of the client can be deleted', async () => {
  await expect(operations().remove(AMY, 'gif')).rejects.toThrow(/all clients have it/);
  await expect(operations().remove(AMY, 'other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
