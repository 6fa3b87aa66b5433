import { expect, test } from 'vitest';
import type { Caller } from '../../packages/contract/src/domain/client.ts';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import type { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { ListedRecipe, Recipe } from '../../packages/contract/src/domain/recipe.ts';
import { checkRequest } from '../../packages/service/src/jobs/submit/check-request.ts';
import { presetApplier } from '../../packages/service/src/recipes/apply-preset.ts';
import { EMPTY_PROBES } from '../support/http-deps.ts';
import { mediaRoot } from '../support/media-root.ts';
import { planRequest } from '../support/planning.ts';

const AMY: Caller = { clientId: 'amy', scopes: ['jobs:write'], root: mediaRoot('/srv/media'), policy: {} };

const recipe = (parameters: Recipe['request']['parameters'], more: Partial<Recipe> = {}): Recipe => ({
  ...{ name: 'house-style', version: 1, title: 'House style', description: 'Ours.', words: [], outputs: ['mp4'] },
  inputs: [{ role: 'film', description: 'A film.' }],
  arguments: { quality: { type: 'number', min: 0, max: 99, default: 20, description: 'The quality.' } },
  request: { parameters: { 'c:v': 'libx264', ...parameters } },
  ...more,
});

/** The client has stored a recipe of this name. */
const STORED: ListedRecipe = { ...recipe({ crf: '30' }), source: 'own' };

const check = async (unstored: Recipe | undefined, sent: object = {}) =>
  checkRequest<Plan>(
    {
      planner: async (request) => planRequest(request),
      media: { statPaths: async (_root, paths) => paths.map(() => ({ kind: 'missing' }) as const) },
      applyPreset: presetApplier({ recipesOf: async () => [STORED], probe: EMPTY_PROBES.probe }),
    },
    AMY,
    { input: 'a.mov', output: 'b.mp4', preset: { name: 'house-style', arguments: sent } } as ConversionRequest,
    { unstored },
  );

const fieldsOf = async (unstored: Recipe, sent?: object) => {
  const error: Problem = await check(unstored, sent).then(
    () => expect.fail('The recipe was accepted.'),
    (thrown) => thrown,
  );
  return error.errors.map(({ field, message }) =>
    `${field} ${message.includes('The recipe') ? 'in words of a user' : ''}`.trim(),
  );
};

test('a recipe that is not stored counts in place of the stored one of its name', async () => {
  const optionsWith = async (unstored?: Recipe) => (await check(unstored)).request.parameters;
  expect(await optionsWith()).toMatchObject({ crf: '30' });
  expect(await optionsWith(recipe({ crf: '{{quality}}' }))).toMatchObject({ crf: '20' });
});

test('an option that such a recipe sets wrong is found in the recipe, for its author', async () => {
  expect(await fieldsOf(recipe({ crf: '99' }))).toEqual(['/recipe/request/parameters/crf']);
  const source = { role: 'film', description: 'A film.', parameters: { ss: 'never' } };
  expect(await fieldsOf(recipe({}, { inputs: [source] }))).toEqual(['/recipe/inputs/0/parameters/ss']);
  const outputs = [
    { role: 'film', description: 'The film.', parameters: {} },
    { role: 'poster', description: 'A poster.', suffix: '.jpg', parameters: { 'q:v': 'high' } },
  ];
  expect(await fieldsOf(recipe({}, { request: { parameters: {}, outputs } }))).toEqual([
    '/recipe/request/outputs/1/parameters/q:v',
  ]);
});

test('an option of outputs that are not always written is not mistaken for that of another output', async () => {
  const outputs = [
    { role: 'film', description: 'The film.', parameters: {} },
    { role: 'poster', description: 'A poster.', suffix: '.jpg', when: 'poster', parameters: { 'q:v': '2' } },
    { role: 'icon', description: 'An icon.', suffix: '.png', parameters: { 'q:v': 'high' } },
  ];
  const poster = { type: 'flag', default: false, description: 'Whether there is a poster.' } as const;
  expect(await fieldsOf(recipe({}, { arguments: { poster }, request: { parameters: {}, outputs } }))).toEqual([
    '/recipe/request/outputs/2/parameters/q:v',
  ]);
});

test('options of such a recipe without effect are found, as those of a request are', async () => {
  const warningsOf = async (unstored?: Recipe) =>
    (await check(unstored)).plan.warnings.map(({ field, code }) => `${code} ${field}`);
  expect(await warningsOf(recipe({ c: 'copy', g: '9' }))).toEqual(['NO_EFFECT /recipe/request/parameters/g']);
});

test('a value that was sent is wrong where it was sent', async () => {
  expect(await fieldsOf(recipe({ crf: '{{quality}}' }), { quality: 99 })).toEqual([
    '/preset/arguments/quality in words of a user',
  ]);
  expect(await fieldsOf(recipe({ crf: '{{quality}}' }), { qualty: 20 })).toEqual([
    '/preset/arguments/qualty in words of a user',
  ]);
});
