import type { RecipeDefinition } from '@telecine/client';
import { expect, test } from 'vitest';
import { checkRecipe } from '../../packages/service/src/recipes/check-recipe.ts';
import { expandPreset } from '../../packages/service/src/recipes/expand.ts';
import { type FoundValue, likelyValues, placeNow, withArgument } from './new-arguments.ts';
import { optionGroups } from './option-texts.ts';
import { withoutArgument } from './without-argument.ts';

type Recipe = RecipeDefinition & { readonly name: string };

const recipe = (parameters: Recipe['request']['parameters'], source: Record<string, string> = {}): Recipe => ({
  ...{ name: 'house-style', version: 1, title: 'House style', description: 'Ours.', words: [], outputs: ['mp4'] },
  inputs: [{ role: 'film', description: 'A film.', parameters: source }],
  arguments: {},
  request: { parameters },
});

/** The options of a recipe and of its input in a request without arguments. The service accepts the recipe. */
function optionsOf(one: Recipe) {
  expect(checkRecipe(one)).toEqual([]);
  const expanded = expandPreset({ input: 'a.mov', output: 'b.mp4' }, { name: one.name }, one);
  if (!expanded.ok) expect.fail(JSON.stringify(expanded.errors));
  const { parameters, inputs = [] } = expanded.request;
  return { parameters, inputs };
}

/** The recipe with all proposed arguments. */
function proposed(one: Recipe): Recipe {
  const [first] = likelyValues(optionGroups(one), () => undefined);
  return first === undefined ? one : proposed({ ...one, ...withArgument(one, first) });
}

test.each([
  [recipe({ to: '30' }, { ss: '90' }), ['start', 'length']],
  [recipe({ vf: 'trim=end=30' }, { ss: '90' }), ['start']],
  [recipe({ to: '30', af: 'afade=t=out:st=40:d=2' }), ['end']],
  [recipe({ af: 'highpass=f=200:w=0.5' }), []],
  [recipe({ vf: 'zoompan=d=125:s=640x360' }), []],
])('a recipe with all proposed arguments does the same without them: %#', (one, names) => {
  const changed = proposed(one);
  expect(Object.keys(changed.arguments)).toEqual(names);
  expect(optionsOf(changed)).toEqual(optionsOf(one));
});

test.each([
  ['text', { type: 'text', maxLength: 99, default: "it's 5:00, a=b", description: 'It.' }, 'drawtext=text={{it}}:x=10'],
  ['time', { type: 'time', default: '1:30', description: 'It.' }, 'fade=st={{it}}:d=2'],
  ['part of a section', { type: 'flag', default: true, description: 'It.' }, 'null{{#it|film}},hflip{{/it|film}}'],
  [
    'choice of 0',
    { type: 'choice', choices: { none: '0', some: '2' }, default: 'none', description: 'It.' },
    'null{{#it}},hflip{{/it}}',
  ],
  [
    'other name of a section',
    { type: 'flag', default: false, description: 'It.' },
    'null{{#it|film}},hflip{{/it|film}}',
  ],
] as const)('a recipe whose argument is removed does what it did without the argument: %s', (_, it, vf) => {
  const before: Recipe = { ...recipe({ vf }), arguments: { it } };
  expect(optionsOf({ ...before, ...withoutArgument(before, 'it') })).toEqual(optionsOf(before));
});

test('choices and limits do not refer to a removed argument', () => {
  const size = { type: 'number', min: 16, max: 999, description: 'A size.' } as const;
  const look = { type: 'choice', choices: { small: 'scale=-2:{{size}}', no: 'null' }, description: 'A look.' } as const;
  const before: Recipe = {
    ...recipe({ vf: '{{look}}', g: '{{gop}}' }),
    arguments: { size, look: { ...look, default: 'no' }, gop: { ...size, default: 50 } },
    limits: { gop: { max: 'size * 2', reason: 'No more.' } },
  };
  const without: Recipe = { ...before, ...withoutArgument(before, 'size') };
  expect(checkRecipe(without)).toEqual([]);
  expect(without.arguments['look']).toMatchObject({ choices: { no: 'null' }, default: 'no' });
  const usual: Recipe = { ...before, arguments: { ...before.arguments, size: { ...size, default: 99 } } };
  const fixed: Recipe = { ...usual, ...withoutArgument(usual, 'size') };
  expect(checkRecipe(fixed)).toEqual([]);
  expect(fixed).toMatchObject({
    arguments: { look: { choices: { small: 'scale=-2:99' } } },
    limits: { gop: { max: '(99) * 2' } },
  });
});

/** What became of each proposal of `before` in `now`, in short: its value, or its argument. */
function placesAfter(before: Recipe, now: Recipe): readonly (string | undefined)[] {
  const [old, changed] = [optionGroups(before), optionGroups(now)];
  return likelyValues(old, () => undefined).map((one) => {
    const place = placeNow(old, changed, one, () => undefined);
    return place && (place.found?.value.value ?? `{{${place.reference}}}`);
  });
}

const nth = (one: Recipe, index: number): FoundValue => {
  const found = likelyValues(optionGroups(one), () => undefined)[index];
  return found ?? expect.fail('The recipe has fewer proposals.');
};

test('two settings of one filter that is used twice keep their own texts, whichever becomes an argument', () => {
  const before = recipe({ vf: 'drawtext=text=One,scale=-2:540,drawtext=text=Two' });
  expect(placesAfter(before, before)).toEqual(['One', '540', 'Two']);
  const first: Recipe = { ...before, ...withArgument(before, nth(before, 0)) };
  expect(placesAfter(before, first)).toEqual([expect.stringMatching(/^\{\{/), '540', 'Two']);
  const last: Recipe = { ...before, ...withArgument(before, nth(before, 2)) };
  expect(placesAfter(before, last)).toEqual(['One', '540', expect.stringMatching(/^\{\{/)]);
});

test('both sides of a size and the text of a tag stay proposals while one of them is an argument', () => {
  const before = recipe({ s: '640x360', metadata: ['title=Film', 'artist=We'] });
  const changed: Recipe = { ...before, ...withArgument(before, nth(before, 0)) };
  expect(changed.request.parameters).toMatchObject({ s: '{{width}}x360' });
  expect(placesAfter(before, changed)).toEqual(['{{width}}', '360', 'Film', 'We']);
  expect(proposed(before).request.parameters).toEqual({
    s: '{{width}}x{{height}}',
    metadata: ['title={{title}}', 'artist={{artist}}'],
  });
});

test('a proposal whose option or filter was removed, or has another text, is not one any more', () => {
  const before = recipe({ crf: '23', vf: 'scale=-2:540,drawtext=text=One', t: '10' });
  expect(placesAfter(before, recipe({ vf: 'scale=-2:540' }))).toEqual([undefined, '540', undefined, undefined]);
  expect(placesAfter(before, recipe({ vf: 'hflip', crf: '23', t: '{{a}}{{b}}' }))).toEqual([
    '23',
    undefined,
    undefined,
    undefined,
  ]);
});
