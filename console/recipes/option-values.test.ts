import type { RecipeDefinition } from '@telecine/client';
import { expect, test } from 'vitest';
import { recipeBody } from '../../packages/contract/src/wire/recipe.ts';
import type { OptionMeaning } from '../workbench/option-help.ts';
import { likelyValues, valueText, withArgument } from './new-arguments.ts';
import { optionGroups } from './option-texts.ts';
import { valuesIn } from './option-values.ts';

const recipe = (parameters: RecipeDefinition['request']['parameters'], more: Partial<RecipeDefinition> = {}) => ({
  ...{ version: 1, title: 'House style', description: 'Ours.', words: [], outputs: ['mp4'], arguments: {} },
  inputs: [{ role: 'source', description: 'Source 1.' }],
  request: { parameters },
  ...more,
});

const meaning = (name: string, more: Partial<OptionMeaning>): OptionMeaning => ({
  ...{ name, of: ['libx264'], on: 'output', type: 'float', description: `what ${name} does` },
  ...more,
});

const CRF = meaning('crf', { min: 0, max: 51, usual: '18 to 28' });
const meaningOf = (name: string) => (name === 'crf' ? CRF : undefined);

/** The values of an option of the output, in short: what is an argument by which name. */
const found = (name: string, text: string, known?: OptionMeaning) =>
  valuesIn({ name, path: ['request', 'parameters', name] }, text, known).map(
    ({ value, name: argument, argument: { type } }) => `${value} ${argument} ${type}`,
  );

/** The recipe in which all likely values are arguments. The service accepts its form. */
function proposed(definition: RecipeDefinition): RecipeDefinition {
  const [first] = likelyValues(optionGroups(definition), meaningOf);
  if (first !== undefined) return proposed(withArgument(definition, first));
  expect(recipeBody.safeParse(definition).error?.issues).toBeUndefined();
  return definition;
}

test('a quality becomes an argument with its usual range, and the value as its default', () => {
  const changed = proposed(recipe({ 'c:v': 'libx264', crf: '23' }));
  expect(changed.request.parameters).toEqual({ 'c:v': 'libx264', crf: '{{quality}}' });
  expect(changed.arguments).toMatchObject({ quality: { type: 'number', min: 18, max: 28, default: 23 } });
});

test('a value outside of the usual range widens it', () => {
  expect(proposed(recipe({ crf: '35' })).arguments).toMatchObject({ quality: { min: 18, max: 35, default: 35 } });
});

test('the width and the height of a scaled video are two arguments, which keep their places', () => {
  const changed = proposed(recipe({ vf: 'fps=25,scale=640:360:flags=lanczos,hflip' }));
  expect(changed.request.parameters).toEqual({ vf: 'fps={{fps}},scale={{width}}:{{height}}:flags=lanczos,hflip' });
  expect(Object.keys(changed.arguments)).toEqual(['fps', 'width', 'height']);
});

test('a side that the other side decides stays', () => {
  expect(proposed(recipe({ vf: 'scale=-2:540' })).request.parameters).toEqual({ vf: 'scale=-2:{{height}}' });
});

test('the start and the length of a source are times', () => {
  const inputs = [{ role: 'source', description: 'Source 1.', parameters: { ss: '1:30', t: '10' } }];
  const changed = proposed(recipe({}, { inputs }));
  expect(changed.inputs[0]?.parameters).toEqual({ ss: '{{start}}', t: '{{length}}' });
  expect(changed.arguments).toMatchObject({
    start: { type: 'time', default: '1:30' },
    length: { type: 'time', default: '10' },
  });
});

test('a bit rate is a number of kbit/s', () => {
  const changed = proposed(recipe({ 'b:v': '2.5M', 'b:a': '128k' }));
  expect(changed.request.parameters).toEqual({ 'b:v': '{{rate}}k', 'b:a': '{{audioRate}}k' });
  expect(changed.arguments).toMatchObject({
    rate: { default: 2500, unit: 'kbit/s' },
    audioRate: { default: 128, unit: 'kbit/s' },
  });
});

test('a text of a filter loses its quotes, because the service quotes what is sent', () => {
  const changed = proposed(recipe({ vf: "drawtext=text='Hello you':fontcolor=white:x=10" }));
  expect(changed.request.parameters).toEqual({ vf: 'drawtext=text={{text}}:fontcolor=white:x=10' });
  expect(changed.arguments).toMatchObject({ text: { type: 'text', default: 'Hello you' } });
});

test('two values of one kind get two names', () => {
  expect(
    proposed(recipe({ crf: '23' }, { arguments: { quality: { type: 'flag', description: 'Other.' } } })),
  ).toMatchObject({ request: { parameters: { crf: '{{quality2}}' } } });
});

test('a target of quality is proposed, and what ffmpeg must not get as a number is not', () => {
  const changed = proposed({ ...recipe({}), request: { parameters: { map: '0:v' }, quality: { target: '0.97' } } });
  expect(changed.request).toEqual({ parameters: { map: '0:v' }, quality: { target: '{{target}}' } });
});

test('a word with named values is a choice of these', () => {
  const preset = meaning('preset', { constants: ['fast', 'slow'].map((name) => ({ name, help: '' })) });
  const [value] = valuesIn({ name: 'preset', path: ['request', 'parameters', 'preset'] }, 'medium', preset);
  expect(value?.argument).toMatchObject({
    type: 'choice',
    choices: { fast: 'fast', slow: 'slow', medium: 'medium' },
    default: 'medium',
  });
  expect(value?.isLikely).toBe(false);
});

test.each([
  ['s', '1280x720', ['1280 width number', '720 height number']],
  ['c:v', 'libx264', ['libx264 encoder choice']],
  ['metadata', 'title=Holidays', ['Holidays title text']],
  ['crf', '{{quality}}', []],
  ['an', '', []],
  ['vf', 'setpts=PTS/2', []],
  ['vf', "select='gt(scene,0.4)',scale=320:-1", ['320 width number']],
  [
    'filter_complex',
    '[0:v]scale=w=640:h=360[v];[v][1:v]overlay=10:20',
    ['640 width number', '360 height number', '10 x number', '20 y number'],
  ],
  ['vf', 'scale=:540', ['540 height number']],
  [
    'vf',
    'pad=640:360:-1:-1:black@0.5 , fade=d=2',
    ['640 w number', '360 h number', '-1 x number', '-1 y number', 'black@0.5 colour colour', '2 d number'],
  ],
  ['vf', String.raw`drawtext=text=a\:b:fontsize=24`, ['24 size number']],
] as const)('of %s "%s" these can be arguments: %j', (name, text, values) => {
  expect(found(name, text)).toEqual(values);
});

test('a proposal says the value, its range and its option', () => {
  const [quality] = likelyValues(optionGroups(recipe({ crf: '23' })), meaningOf);
  const [height] = likelyValues(optionGroups(recipe({ vf: 'scale=-2:540' })), meaningOf);
  expect(quality && valueText(quality, false)).toBe('Now 23, can be 18 to 28 · crf');
  expect(quality && valueText(quality, true)).toBe('Now 23 · crf');
  expect(height && valueText(height, false)).toBe('Now 540, can be 16 to 4320 · vf, height of scale');
});
