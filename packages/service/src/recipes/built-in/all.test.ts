import type { ArgumentUnit, Recipe, RecipeArgument } from '@telecine/contract/domain/recipe.ts';
import { textsIn } from '@telecine/contract/domain/recipe-template.ts';
import { expect, test } from 'vitest';
import { valuesOf } from '../facts.ts';
import { BUILT_IN } from './all.ts';

const formulasOf = ({ values = {}, limits = {} }: Recipe): readonly string[] => [
  ...Object.values(values),
  ...Object.values(limits).flatMap(({ min = '', max = '' }) => [min, max]),
];

/** Whether a recipe uses the argument only in `min()` with the height of the input, in templates and formulas. */
function isLimited(recipe: Recipe, name: string): boolean {
  const templates = valuesOf(recipe)
    .flatMap((value) => textsIn(value))
    .join('\n');
  const formulas = formulasOf(recipe).join('\n');
  const count = (text: string, use: RegExp): number => text.match(use)?.length ?? 0;
  const uses =
    count(templates, new RegExp(`\\{\\{${name}\\}\\}`, 'g')) +
    count(formulas, new RegExp(`(?<!\\.)\\b${name}\\b`, 'g'));
  const limited =
    count(templates, new RegExp(`min\\(\\{\\{${name}\\}\\}\\\\*,ih\\)`, 'g')) +
    count(formulas, new RegExp(`min\\((?:${name}, input\\.height|input\\.height, ${name})\\)`, 'g'));
  return uses > 0 && uses === limited;
}

/** The arguments of all recipes that fulfil a condition, as `recipe argument`. */
const argumentsWith = (
  fulfils: (argument: RecipeArgument, name: string, recipe: Recipe) => boolean,
): readonly string[] =>
  BUILT_IN.flatMap((recipe) =>
    Object.entries(recipe.arguments).flatMap(([name, argument]) =>
      fulfils(argument, name, recipe) ? [`${recipe.name} ${name}`] : [],
    ),
  );

test('an argument declares that it is capped at the height of the input exactly if the recipe never uses more', () => {
  const declared = argumentsWith((argument) => argument.type === 'number' && argument.cap === 'input.height');
  expect(declared).toEqual(argumentsWith((_, name, recipe) => isLimited(recipe, name)));
  expect(declared).toEqual(expect.arrayContaining(['web-h264 height', 'target-size height', 'hls top']));
  expect(declared).not.toContain('resize height');
});

test.each<[ArgumentUnit, RegExp]>([
  ['MB', /megabytes/i],
  ['%', /in percent/],
  ['s', /^Seconds|in seconds|^How long each/],
  ['kbit/s', /kbit\/s/],
  ['LUFS', /LUFS/],
  ['fps', /^(?:Frames|Images) per second/],
  ['Hz', /^Samples per second/],
  ['x', /times as fast/],
])('an argument has the unit %s exactly if its description says so', (unit, words) => {
  const declared = argumentsWith((argument) => argument.type === 'number' && argument.unit === unit);
  expect(declared).not.toEqual([]);
  expect(declared).toEqual(argumentsWith(({ type, description }) => type === 'number' && words.test(description)));
});

test('a number that its description measures in pixels or dB has this unit', () => {
  const inUnit = (unit: ArgumentUnit) =>
    argumentsWith((argument) => argument.type === 'number' && argument.unit === unit);
  const saying = (words: RegExp) =>
    argumentsWith(({ type, description }) => type === 'number' && words.test(description));
  expect(inUnit('px')).toEqual(expect.arrayContaining([...saying(/in pixels/)]));
  expect(inUnit('dB')).toEqual(expect.arrayContaining([...saying(/, in dB|in dBTP/)]));
  // Their descriptions say what they are of, and not in what.
  expect(inUnit('px')).toEqual(expect.arrayContaining(['crop x', 'hls top', 'contact-sheet width']));
  expect(inUnit('dB')).toContain('change-volume decibels');
});

test('each recipe states what it keeps, and at most 8 say why their result cannot be compared', () => {
  expect(BUILT_IN.filter(({ result }) => result === undefined).map(({ name }) => name)).toEqual([]);
  const incomparable = BUILT_IN.flatMap(({ result }) => result?.incomparable ?? []);
  expect(incomparable.length).toBeLessThanOrEqual(8);
  expect(incomparable.every((reason) => /^It .+\.$|^Many .+\.$/.test(reason))).toBe(true);
});

test('the times of a result follow from arguments that the recipe has', () => {
  const lacks = (times: string, argument: string): readonly string[] =>
    BUILT_IN.filter((recipe) => recipe.result?.times === times && !Object.hasOwn(recipe.arguments, argument)).map(
      ({ name }) => name,
    );
  expect([lacks('part', 'start'), lacks('speed', 'factor'), lacks('repeated', 'times')]).toEqual([[], [], []]);
});

test('a recipe that changes times keeps no chapters, which have times of their own', () => {
  const kept = BUILT_IN.filter(
    ({ result: { times, keeps } = { keeps: [] } }) =>
      times !== undefined && !['same', 'pieces'].includes(times) && keeps.includes('chapters'),
  );
  expect(kept.map(({ name }) => name)).toEqual([]);
});
