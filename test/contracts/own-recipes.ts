import { describe, expect, test } from 'vitest';
import { RECIPE_LIMITS, type Recipe } from '../../src/domain/recipe.ts';
import { recipeBody } from '../../src/wire/recipe.ts';
import type { Engine } from './engine.ts';

const recipe = (change: Partial<Recipe> = {}): Recipe => ({
  name: 'house-style',
  version: 1,
  title: 'House style',
  description: 'Ours.',
  words: ['ours'],
  inputs: [{ role: 'film', description: 'A film.' }],
  outputs: ['mp4'],
  arguments: {},
  request: { parameters: { 'c:v': 'libx264' } },
  ...change,
});

export function ownRecipesContract(engine: Engine): void {
  describe(`recipes of clients on ${engine.name}`, () => {
    test('a recipe is listed as it was stored, by its client alone', async () => {
      const { ownRecipes } = (await engine.open()).store;
      expect(await ownRecipes.put('amy', recipe(), 10)).toBe('created');
      expect(await ownRecipes.put('amy', recipe({ name: 'another' }), 10)).toBe('created');
      expect(await ownRecipes.list('amy')).toEqual([recipe({ name: 'another' }), recipe()]);
      expect(await ownRecipes.list('bob')).toEqual([]);
    });

    test('only a greater version replaces a recipe, and the same one changes nothing', async () => {
      const { ownRecipes } = (await engine.open()).store;
      await ownRecipes.put('amy', recipe(), 10);
      const stamp = await ownRecipes.stampOf('amy');
      expect(await ownRecipes.put('amy', recipe(), 10)).toBe('unchanged');
      expect(await ownRecipes.put('amy', recipe({ title: 'Other' }), 10)).toEqual({ newestVersion: 1 });
      expect(await ownRecipes.stampOf('amy')).toBe(stamp);
      const second = recipe({ version: 2, title: 'Other' });
      expect(await ownRecipes.put('amy', second, 10)).toBe('replaced');
      expect(await ownRecipes.put('amy', recipe(), 10)).toEqual({ newestVersion: 2 });
      expect(await ownRecipes.list('amy')).toEqual([second]);
    });

    test('the stamp of a client changes whenever one of its recipes does, and only then', async () => {
      const { ownRecipes } = (await engine.open()).store;
      expect(await ownRecipes.stampOf('amy')).toBe('');
      const stamps = new Set<string>();
      for (const change of [{}, { version: 2, title: 'Other' }, { name: 'another' }, { version: 3 }]) {
        await ownRecipes.put('amy', recipe(change), 10);
        stamps.add(await ownRecipes.stampOf('amy'));
      }
      await ownRecipes.remove('amy', 'another');
      stamps.add(await ownRecipes.stampOf('amy'));
      expect(stamps.size).toBe(5);
      await ownRecipes.put('bob', recipe(), 10);
      expect(stamps).toContain(await ownRecipes.stampOf('amy'));
    });

    test('a recipe may have the largest version that a request can send', async () => {
      const { ownRecipes } = (await engine.open()).store;
      const largest = recipe({ version: RECIPE_LIMITS.version });
      expect(await ownRecipes.put('amy', largest, 10)).toBe('created');
      expect(await ownRecipes.list('amy')).toEqual([largest]);
      const { name: _, ...definition } = largest;
      expect(recipeBody.safeParse(definition).success).toBe(true);
      expect(recipeBody.safeParse({ ...definition, version: largest.version + 1 }).success).toBe(false);
    });

    test('of several writers of one version, one wins', async () => {
      const { ownRecipes } = (await engine.open()).store;
      const titles = Array.from({ length: 5 }, (_, index) => `Title ${index}`);
      const results = await Promise.all(titles.map((title) => ownRecipes.put('amy', recipe({ title }), 10)));
      expect(results.filter((one) => one === 'created')).toHaveLength(1);
      expect(results.filter((one) => typeof one === 'object')).toHaveLength(4);
    });

    test('a client cannot have more than the most, but can still replace and remove', async () => {
      const { ownRecipes } = (await engine.open()).store;
      const names = ['a', 'b', 'c', 'd'];
      const results = await Promise.all(names.map((name) => ownRecipes.put('amy', recipe({ name }), 2)));
      expect(results.filter((one) => one === 'full')).toHaveLength(2);
      const [first] = await ownRecipes.list('amy');
      expect(await ownRecipes.put('amy', recipe({ name: first?.name ?? '', version: 2 }), 2)).toBe('replaced');
      expect(await ownRecipes.remove('amy', first?.name ?? '')).toBe(true);
      expect(await ownRecipes.remove('amy', first?.name ?? '')).toBe(false);
      expect(await ownRecipes.put('amy', recipe({ name: 'e' }), 2)).toBe('created');
    });
  });
}
