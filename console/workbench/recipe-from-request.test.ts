import type { Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { recipeBody } from '../../packages/contract/src/wire/recipe.ts';
import { membersLeftOut, recipeFromRequest, recipeName } from './recipe-from-request.ts';

const CALLED = { title: 'For the shop', version: 1, origin: 'Made in the workbench.' };

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

/** A recipe that computes a bit rate from the duration of the film. */
const FIT: Recipe = {
  ...{ name: 'fit', version: 3, source: 'built-in', title: 'Fit a size', description: 'Fits a size.', words: [] },
  inputs: [{ role: 'film', description: 'The film.', parameters: { noautorotate: '1' } }],
  outputs: ['mp4', 'mkv'],
  arguments: {
    size: { type: 'number', min: 0.1, max: 100, required: true, description: 'Megabytes.' },
    sound: { type: 'flag', default: true, description: 'Keeps the sound.' },
  },
  values: { rate: 'floor(8000 * size / input.duration)', bytes: 'floor(size * 1000000)' },
  request: { maxBytes: '{{bytes}}', parameters: { 'b:v': '{{rate}}k', preset: 'slow' } },
};

test('a recipe made of a recipe keeps to its size, unless the request decides how many bits the video has', () => {
  const made = (more: object) => recipeFromRequest({ input: 'a.mov', output: 'a.mp4', ...more }, CALLED, FIT).request;
  expect(made({ parameters: { preset: 'fast', 'b:a': '96k' } })).toMatchObject({ maxBytes: '{{bytes}}' });
  for (const more of [{ parameters: { crf: '20' } }, { parameters: { 'b:v': '1M' } }, { quality: { target: 0.98 } }])
    expect(made(more)).not.toHaveProperty('maxBytes');
});

test('a recipe made of a recipe computes for each film anew, with the arguments of the request', () => {
  const recipe = recipeFromRequest(
    {
      inputs: [{ input: 'a.mov', parameters: { ss: '2' } }],
      output: 'a.mkv',
      parameters: { preset: 'fast' },
      preset: { name: 'fit', arguments: { size: '0.2', sound: 'false', film: 'a.mov' } },
    },
    CALLED,
    FIT,
  );
  expect(recipeBody.parse(recipe)).toMatchObject({
    title: 'For the shop',
    description: 'Fit a size, with Size 0.2, Sound false. Made in the workbench.',
    inputs: [{ role: 'film', parameters: { noautorotate: '1', ss: '2' } }],
    outputs: ['mkv', 'mp4'],
    arguments: { size: { default: 0.2 }, sound: { default: false } },
    values: { rate: 'floor(8000 * size / input.duration)' },
    request: { parameters: { 'b:v': '{{rate}}k', preset: 'fast' } },
  });
  expect(recipe.arguments).not.toHaveProperty('film');
  expect(recipe.arguments).not.toHaveProperty('size.required');
});

test('the description of a recipe says where it comes from, and is not too long', () => {
  const request = { input: 'in.mov', output: 'out.webm' };
  const origin = 'Made from the job that wrote out.webm.';
  expect(recipeFromRequest(request, { ...CALLED, origin }).description).toBe(`For the shop. ${origin}`);
  const long = recipeFromRequest(request, { ...CALLED, origin: 'x'.repeat(600) });
  expect(recipeBody.safeParse(long).success).toBe(true);
});

test('the name of a recipe comes from its title', () => {
  expect(recipeName('For the shop!')).toBe('for-the-shop');
  expect(recipeName('720p für Anna')).toBe('my-720p-fur-anna');
  expect(recipeName('!')).toBe('');
});

test('a recipe keeps how the request finds its quality, its size and its parts', () => {
  const request = {
    ...{ input: 'in.mov', output: 'out.mp4', quality: { target: 0.97 }, frameSize: 'auto' as const },
    cut: { remove: { silence: { minSeconds: 1 }, marginSeconds: 0.2 } },
  };
  expect(recipeBody.parse(recipeFromRequest(request, CALLED)).request).toEqual({
    ...{ quality: { target: '0.97' }, frameSize: 'auto', parameters: {} },
    cut: { remove: { silence: { noiseDb: '-60', minSeconds: '1' }, marginSeconds: '0.2' } },
  });
  expect(membersLeftOut(request)).toEqual([]);
});

test('what a recipe cannot have is named, but not what only says how a request runs', () => {
  expect(
    membersLeftOut({
      ...{ input: 'in.mov', output: 'out.mp4', priority: 3, metadata: { order: '7' }, chunks: 'auto' },
      ...{ cut: { keep: [{ start: 1, end: 2 }] }, quality: { target: 0.97, maxSize: 50_000 } },
    }),
  ).toEqual(['chunks', 'cut', 'quality.maxSize']);
});
