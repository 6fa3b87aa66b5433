import { expect, test } from 'vitest';
import type { ListedRecipe, Recipe } from '../domain/recipe.ts';
import { clientRecipes } from './client-recipes.ts';

const recipe = (name: string): Recipe => ({
  ...{ name, version: 1, title: name, description: name, words: [], outputs: ['mp4'], arguments: {} },
  inputs: [{ role: 'film', description: 'A film.' }],
  request: { parameters: {} },
});
const SHARED: readonly ListedRecipe[] = ['gif', 'mp3'].map((name) => ({ ...recipe(name), source: 'built-in' }));

function recipesOf(own: Readonly<Record<string, readonly string[]>>) {
  return clientRecipes(SHARED, {
    list: async (clientId) => ({ recipes: (own[clientId] ?? []).map(recipe), stamp: (own[clientId] ?? []).join() }),
  });
}

const namesOf = (all: readonly ListedRecipe[]) => all.map(({ name, source }) => `${name} ${source}`);

test('a client has its own recipes and those of everybody, and no other client has them', async () => {
  const list = recipesOf({ amy: ['house-style'] });
  expect(namesOf(await list('amy'))).toEqual(['gif built-in', 'mp3 built-in', 'house-style own']);
  expect(await list('bob')).toBe(SHARED);
});

test('a recipe that the service gets later does not replace that of a client', async () => {
  expect(namesOf(await recipesOf({ amy: ['gif'] })('amy'))).toEqual(['mp3 built-in', 'gif own']);
});

test('the same recipes are the same list, which has one index', async () => {
  const own: Record<string, readonly string[]> = { amy: ['a'] };
  const list = recipesOf(own);
  const before = await list('amy');
  expect(await list('amy')).toBe(before);
  own['amy'] = ['a', 'b'];
  expect(await list('amy')).not.toBe(before);
});
