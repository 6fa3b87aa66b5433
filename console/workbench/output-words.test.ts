import type { Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { NO_WORDS, outputWords, partWords } from './output-words.ts';

const text = (description: string) => ({ description });
const TIME = { type: 'time', ...text('When.') } as const;
const number = (description: string, usual?: number) =>
  ({ type: 'number', min: 0, max: 9999, ...(usual !== undefined && { default: usual }), description }) as const;

/** A recipe of the service, as the API shows it. */
const builtIn = async (name: string) => {
  const { BUILT_IN } = await import('../../packages/service/src/recipes/built-in/all.ts');
  return BUILT_IN.find((one) => one.name === name);
};

const recipe = (all: Recipe['arguments']) => ({
  name: 'the-recipe',
  arguments: all,
  request: { parameters: {} },
});

const SIZE = recipe({ size: { ...number('The largest size.'), unit: 'MB' } });
const VIDEO = recipe({
  quality: { type: 'choice', choices: { small: '30', good: '23' }, default: 'good', ...text('The quality.') },
  height: number('The height in pixels.'),
});
const GIF = recipe({
  width: number('The width in pixels.', 480),
  fps: number('Frames per second.', 12),
  start: { ...TIME, share: true, default: '0' },
  length: { ...TIME, default: '5' },
});
const CUT = recipe({ start: { ...TIME, default: '0' }, end: TIME });

test.each([
  ['the size that was asked for', SIZE, { size: '8' }, '8MB'],
  ['the height', VIDEO, { height: '720' }, '720p'],
  ['the quality and the height, in the order of the form', VIDEO, { height: '720', quality: 'small' }, 'small-720p'],
  ['a range by its start and length', GIF, { start: '2', length: '3' }, '2s-5s'],
  ['a range with the usual length', GIF, { start: '0:02' }, '2s-7s'],
  ['a length alone', GIF, { length: '2.5' }, '2.5s'],
  [
    'more than a minute without colons, which some disks do not allow',
    CUT,
    { start: '1:05', end: '1:02:03' },
    '1m05s-1h02m03s',
  ],
  ['the start alone', CUT, { start: '90' }, 'from-1m30s'],
  ['the end alone', CUT, { end: '5' }, 'to-5s'],
  ['only what was entered', GIF, { fps: '15', start: '0' }, '15fps'],
  ['nothing for a share of the length', GIF, { start: '25%' }, ''],
  [
    'the frame size',
    recipe({ width: number('w'), height: number('h') }),
    { width: '1920', height: '1080' },
    '1920x1080',
  ],
  [
    'the shape',
    recipe({ aspect: { type: 'choice', choices: { '9:16': '' }, ...text('.') } }),
    { aspect: '9:16' },
    '9x16',
  ],
])('the name of an output has %s', (_what, one, sent, words) => {
  expect(outputWords(one, sent)).toEqual({ values: words, instead: 'the-recipe' });
});

test('a name has no texts of the user, no colours, and nothing that a path must not have', () => {
  const all = recipe({
    text: { type: 'text', maxLength: 100, ...text('The line.') },
    colour: { type: 'colour', ...text('The colour.') },
    size: number('The height of the letters in pixels, not in megabytes.'),
    height: number('The height.'),
  });
  expect(outputWords(all, { text: '../../x', colour: '#fff', size: '40', height: '1/../2' }).values).toBe('');
});

test.each([
  [2, 5, '2s-5s'],
  [2, undefined, 'from-2s'],
  [0, 5, 'to-5s'],
  [0, undefined, ''],
  [119.996, 3600.5, '2m00s-1h00m00.5s'],
])('a part from %j to %j is %j in a name', (from, to, words) => {
  expect(partWords(from, to).join()).toBe(words);
});

test('without a recipe there are no words', () => {
  expect(outputWords(undefined, { height: '720' })).toBe(NO_WORDS);
});

test('a height that is capped at that of the video is in the name if the video is higher', () => {
  const capped = recipe({ height: { ...number('The height.'), cap: 'input.height' } });
  expect(outputWords(capped, { height: '720' }, 1080).values).toBe('720p');
  expect(outputWords(capped, { height: '1080' }, 160).values).toBe('');
  expect(outputWords(capped, { height: '1080' }).values).toBe('1080p');
  // This one enlarges, whatever its description says.
  const enlarging = recipe({ height: number('The height, at most 2160.') });
  expect(outputWords(enlarging, { height: '1080' }, 160).values).toBe('1080p');
});

test.each([
  ['web-h264', 'height'],
  ['web-av1', 'height'],
  ['compress', 'height'],
  ['web-package', 'height'],
  ['mp4-ladder', 'top'],
  ['hls', 'top'],
  ['ladder-per-title', 'top'],
])('an output of the recipe %s is named by its %s only if the video is higher', async (name, argument) => {
  const found = await builtIn(name);
  expect(outputWords(found, { [argument]: '1080' }, 2160).values).toBe('1080p');
  expect(outputWords(found, { [argument]: '1080' }, 720).values).toBe('');
});

test.each([
  ['resize', { height: '1080' }, '1080p'],
  ['letterbox', { width: '1920', height: '1080' }, '1920x1080'],
  ['target-size', { size: '8', height: '1080' }, '8MB'],
  ['gif', { size: '2', width: '320' }, '320w-2MB'],
  ['text-overlay', { size: '40' }, ''],
  ['crop', { x: '10', y: '20', width: '233', height: '111' }, '233x111'],
  // The picture keeps its size.
  ['blur-region', { x: '10', y: '20', width: '233', height: '111', quality: 'small' }, 'blurred-small'],
  ['blur-region', {}, 'blurred'],
])('an output of the recipe %s with %o of a video of 360 lines is named %j', async (name, sent, words) => {
  expect(outputWords(await builtIn(name), sent, 360).values).toBe(words);
});
