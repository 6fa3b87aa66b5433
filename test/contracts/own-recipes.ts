import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { RECIPE_LIMITS, type Recipe } from '../../packages/contract/src/domain/recipe.ts';
import { recipeBody } from '../../packages/contract/src/wire/recipe.ts';
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
      const { ownRecipes } = await engine.openStore();
      expect(await ownRecipes.put('amy', recipe(), 10)).toBe('created');
      expect(await ownRecipes.put('amy', recipe({ name: 'another' }), 10)).toBe('created');
      expect(await ownRecipes.list('amy')).toEqual([recipe({ name: 'another' }), recipe()]);
      expect(await ownRecipes.list('bob')).toEqual([]);
    });

    test('only a greater version replaces a recipe, and the same one changes nothing', async () => {
      const { ownRecipes } = await engine.openStore();
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
      const { ownRecipes } = await engine.openStore();
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

    test('many recipes are not parsed in one turn of the event loop', async () => {
      const { ownRecipes } = await engine.openStore();
      const words = [...recipe().words, 'w'.repeat(30_000)];
      for (let n = 0; n < 20; n += 1) await ownRecipes.put('amy', recipe({ name: `recipe-${n}`, words }), 20);
      const parse = vi.spyOn(JSON, 'parse');
      onTestFinished(() => parse.mockRestore());
      let isRead = false;
      const reading = ownRecipes.list('amy').finally(() => {
        isRead = true;
      });
      const bytesOfTurns: number[] = [];
      while (!isRead) {
        await setImmediate();
        bytesOfTurns.push(parse.mock.calls.reduce((bytes, [text]) => bytes + text.length, 0));
        parse.mockClear();
      }
      expect(await reading).toHaveLength(20);
      expect(Math.max(...bytesOfTurns)).toBeGreaterThan(30_000);
      expect(Math.max(...bytesOfTurns)).toBeLessThan(200_000);
    });

    test('a recipe may have the largest version that a request can send', async () => {
      const { ownRecipes } = await engine.openStore();
      const largest = recipe({ version: RECIPE_LIMITS.version });
      expect(await ownRecipes.put('amy', largest, 10)).toBe('created');
      expect(await ownRecipes.list('amy')).toEqual([largest]);
      const { name: _, ...definition } = largest;
      expect(recipeBody.safeParse(definition).success).toBe(true);
      expect(recipeBody.safeParse({ ...definition, version: largest.version + 1 }).success).toBe(false);
    });

    test('of several writers of one version, one wins', async () => {
      const { ownRecipes } = await engine.openStore();
      const titles = Array.from({ length: 5 }, (_, index) => `Title ${index}`);
      const results = await Promise.all(titles.map((title) => ownRecipes.put('amy', recipe({ title }), 10)));
      expect(results.filter((one) => one === 'created')).toHaveLength(1);
      expect(results.filter((one) => typeof one === 'object')).toHaveLength(4);
    });

    test('a client cannot have more than the most, but can still replace and remove', async () => {
      const { ownRecipes } = await engine.openStore();
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
