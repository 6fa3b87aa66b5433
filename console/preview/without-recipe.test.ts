import { expect, test } from 'vitest';
import { hasPreview, withoutRecipe } from './without-recipe.ts';

const FILM = { role: 'film', description: 'A film.' };
const recipe = { inputs: [FILM], outputs: ['mp4'], request: { parameters: { crf: '{{quality}}' } } };

test('a recipe that makes one file of one has a preview, also if it chooses a part', () => {
  expect(hasPreview(recipe)).toBe(true);
  expect(hasPreview({ ...recipe, inputs: [{ ...FILM, parameters: { ss: '{{from}}', t: '{{length}}' } }] })).toBe(true);
});

test('a recipe that puts a file into a film has a preview', () => {
  expect(hasPreview({ ...recipe, inputs: [FILM, { role: 'logo', description: 'An image.' }] })).toBe(true);
});

test.each([
  [
    'reads a further file in a way of its own',
    { ...recipe, inputs: [FILM, { ...FILM, parameters: { stream_loop: '-1' } }] },
  ],
  ['reads any number of files', { ...recipe, inputs: [{ ...FILM, many: true as const }] }],
  ['reads its file in a way of its own', { ...recipe, inputs: [{ ...FILM, parameters: { framerate: '25' } }] }],
  ['joins files', { ...recipe, request: { ...recipe.request, join: 'encode' as const } }],
  ['writes several files', { ...recipe, request: { ...recipe.request, outputs: [] } }],
  ['writes a playlist', { ...recipe, outputs: ['m3u8'] }],
])('a recipe that %s has no preview', (_what, other) => {
  expect(hasPreview(other)).toBe(false);
});

test('a request without its recipe has the options that a dry run names', () => {
  const request = { input: 'a.mov', output: 'a.mp4', preset: { name: 'web-video' } };
  const plan = { parameters: { crf: '23' }, inputs: ['a.mov'] };
  expect(withoutRecipe(request, recipe, plan)).toEqual({
    inputs: ['a.mov'],
    output: 'a.mp4',
    parameters: { crf: '23' },
  });
  expect(withoutRecipe(request, recipe, undefined)).toBeUndefined();
  const named = { ...request, preset: { name: 'logo', arguments: { film: 'a.mov' } } };
  expect(withoutRecipe(named, recipe, plan)).toBeUndefined();
});

test('a request without its recipe has the part that the recipe chooses, and its own keys', () => {
  const inputs = [{ input: 'a.mov', parameters: { to: '9', decryption_key: '12ab' } }, 'logo.png'];
  const request = { inputs, output: 'a.mp4', parameters: { encryption_key: '34cd' }, preset: { name: 'ending' } };
  const plan = {
    parameters: { crf: '23', encryption_key: '(hidden)' },
    inputs: [{ input: 'a.mov', parameters: { ss: '5', to: '9', decryption_key: '(hidden)' } }, 'logo.png'],
  };
  expect(withoutRecipe(request, recipe, plan)).toEqual({
    inputs: [{ input: 'a.mov', parameters: { ss: '5', to: '9', decryption_key: '12ab' } }, 'logo.png'],
    output: 'a.mp4',
    parameters: { crf: '23', encryption_key: '34cd' },
  });
});
