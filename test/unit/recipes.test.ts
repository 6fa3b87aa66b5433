import { expect, test } from 'vitest';
import { recipeBody, recipeSchema } from '../../packages/contract/src/wire/recipe.ts';
import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import { checkRecipe } from '../../packages/service/src/recipes/check-recipe.ts';
import { RECIPES } from '../common-requests/recipes.ts';

test.each(BUILT_IN.map((recipe) => [recipe.name, recipe] as const))(
  'the built-in recipe %s is valid',
  (_name, recipe) => {
    const { name: _, source: __, ...body } = recipe;
    expect(recipeBody.safeParse(body).error?.issues).toBeUndefined();
    expect(recipeSchema.safeParse(recipe).error?.issues).toBeUndefined();
    expect(checkRecipe(recipe)).toEqual([]);
  },
);

test('there are at least 40 built-in recipes, each with its own name, and each is run on real media', () => {
  const names = BUILT_IN.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(40);
  expect(new Set(names).size).toBe(names.length);
  const run = new Set(RECIPES.map(({ request }) => request.preset?.name));
  // test/e2e/captions.test.ts runs it, on a stub: no machine of the tests has a model.
  expect(names.filter((name) => !run.has(name))).toEqual(['captions-from-speech']);
});

test('only sound that becomes stereo gets the bit rate of stereo: that of six channels would be too low', () => {
  const all = BUILT_IN.flatMap(({ name, request: { parameters, outputs = [] } }) =>
    [{ parameters }, ...outputs].map((one) => ({ name, parameters: { ...parameters, ...one.parameters } })),
  );
  const low = all.filter(({ parameters }) => JSON.stringify(parameters['b:a'] ?? '').includes('128k'));
  expect(low.map(({ name }) => name)).toContain('web-h264');
  expect(low.filter(({ parameters }) => parameters['ac'] === undefined).map(({ name }) => name)).toEqual([]);
});
