import type { RecipeDefinition } from '@telecine/client';
import { expect, test } from 'vitest';
import { controlOf, optionGroups, withoutOption, withText } from './option-texts.ts';

const RECIPE: RecipeDefinition = {
  ...{ version: 1, title: 'House style', description: 'Ours.', words: [], outputs: ['mp4'], arguments: {} },
  inputs: [{ role: 'film', description: 'A film.', parameters: { ss: '2' }, duration: '3' }],
  request: {
    parameters: { crf: '23', map: ['0:v', '0:a'], vf: { when: 'film', value: 'null' } },
    outputs: [
      { role: 'film', description: 'The film.', parameters: {} },
      { role: 'poster', description: 'A poster.', suffix: '.jpg', parameters: { 'q:v': '3' } },
    ],
    cut: { remove: { silence: { noiseDb: '-40', minSeconds: '1' }, marginSeconds: '0.1' } },
  },
};

const optionOf = (name: string) => {
  const option = optionGroups(RECIPE)
    .flatMap(({ options }) => options)
    .find((one) => one.name === name);
  if (option === undefined) throw new Error(`There is no option ${name}.`);
  return option;
};

test('all that a recipe sets is listed by what it is for', () => {
  expect(optionGroups(RECIPE).map(({ title, options }) => [title, options.map(({ name }) => name)])).toEqual([
    ['Of the input film', ['ss', 'duration']],
    ['Of all outputs', ['crf', 'map', 'vf']],
    ['Of the output poster', ['q:v']],
    [
      'Of the whole conversion',
      ['cut.remove.silence.noiseDb', 'cut.remove.silence.minSeconds', 'cut.remove.marginSeconds'],
    ],
  ]);
});

test('another text replaces one value, and the order of the options stays', () => {
  expect(withText(RECIPE, optionOf('crf'), 0, '30').request.parameters).toMatchObject({ crf: '30' });
  expect(Object.keys(withText(RECIPE, optionOf('crf'), 0, '30').request.parameters)).toEqual(['crf', 'map', 'vf']);
  expect(withText(RECIPE, optionOf('map'), 1, '0:a:1').request.parameters['map']).toEqual(['0:v', '0:a:1']);
  expect(withText(RECIPE, optionOf('cut.remove.silence.minSeconds'), 0, '2').request.cut).toMatchObject({
    remove: { silence: { noiseDb: '-40', minSeconds: '2' } },
  });
});

test('an option is left out', () => {
  expect(Object.keys(withoutOption(RECIPE, optionOf('map')).request.parameters)).toEqual(['crf', 'vf']);
});

test('the control of a value has the place of its errors in the check', () => {
  expect(controlOf(optionOf('q:v').path)).toBe('recipe.request.outputs.1.parameters.q:v');
});
