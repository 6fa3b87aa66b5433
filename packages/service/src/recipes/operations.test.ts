import type { ListedRecipe, Recipe } from '@telecine/contract/domain/recipe.ts';
import { expect, test } from 'vitest';
import { clientRecipes } from './operations.ts';

const recipe = (name: string): Recipe => ({
  ...{ name, version: 1, title: name, description: name, words: [], outputs: ['mp4'], arguments: {} },
  inputs: [{ role: 'film', description: 'A film.' }],
  request: { parameters: {} },
});
const SHARED: readonly ListedRecipe[] = ['gif', 'mp3'].map((name) => ({ ...recipe(name), source: 'built-in' }));

/** What a store has: names of recipes with their versions. */
type Stored = Readonly<Record<string, Readonly<Record<string, number>>>>;

function store(own: Stored) {
  const counts = { reads: 0 };
  const of = (clientId: string) => Object.entries(own[clientId] ?? {});
  const recipesOf = clientRecipes(SHARED, {
    stampOf: async (clientId) => of(clientId).join(' '),
    list: async (clientId) => {
      counts.reads += 1;
      return of(clientId).map(([name, version]) => ({ ...recipe(name), version }));
    },
  });
  return { recipesOf, counts };
}

const namesOf = (all: readonly ListedRecipe[]) => all.map(({ name, source }) => `${name} ${source}`);

test('a client has its own recipes and those of everybody, and no other client has them', async () => {
  const { recipesOf } = store({ amy: { 'house-style': 1 } });
  expect(namesOf(await recipesOf('amy'))).toEqual(['gif built-in', 'mp3 built-in', 'house-style own']);
  expect(await recipesOf('bob')).toBe(SHARED);
});

test('a recipe that the service gets later does not replace that of a client', async () => {
  expect(namesOf(await store({ amy: { gif: 1 } }).recipesOf('amy'))).toEqual(['mp3 built-in', 'gif own']);
});

test('the recipes of a client are read again only when one was stored, replaced or deleted', async () => {
  const own: Record<string, Readonly<Record<string, number>>> = { amy: { a: 1 } };
  const { recipesOf, counts } = store(own);
  // Requests of a batch come at the same time.
  const [before, ...others] = await Promise.all([recipesOf('amy'), recipesOf('amy'), recipesOf('amy')]);
  // The search caches its index for each list, so the lists must be the same object.
  for (const other of others) expect(other).toBe(before);
  expect(counts.reads).toBe(1);
  for (const changed of [{ a: 2 }, { a: 2, b: 1 }, { b: 1 }]) {
    own['amy'] = changed;
    const after = await recipesOf('amy');
    expect(after.flatMap(({ name, version, source }) => (source === 'own' ? [[name, version]] : []))).toEqual(
      Object.entries(changed),
    );
    expect(await recipesOf('amy')).toBe(after);
  }
  expect(counts.reads).toBe(4);
});

test('a read that fails is tried again by the next request', async () => {
  let isDown = true;
  const recipesOf = clientRecipes(SHARED, {
    stampOf: async () => 'a 1',
    list: async () => {
      if (isDown) throw new Error('The store is down.');
      return [recipe('a')];
    },
  });
  await expect(recipesOf('amy')).rejects.toThrow('The store is down.');
  isDown = false;
  expect(await recipesOf('amy')).toHaveLength(3);
});
