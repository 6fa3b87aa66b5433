import { readPhrase } from '@telecine/contract/domain/phrase-values.ts';
import { expect, test } from 'vitest';
import { BUILT_IN } from './built-in/all.ts';
import { queryArguments } from './query-arguments.ts';
import { recipeSearch } from './search.ts';

const valuesOf = (phrase: string) => Object.assign({}, ...readPhrase(phrase).map(({ values }) => values));

test.each([
  ['gif of seconds 2 to 5', { start: 2, end: 5 }],
  ['2 to 5 seconds', { start: 2, end: 5 }],
  ['2-5 s', { start: 2, end: 5 }],
  ['from 1:20 to 1:45', { start: 80, end: 105 }],
  ['from 1:02:03 until 1:02:03.5', { start: 3723, end: 3723.5 }],
  ['between second 3 and second 8', { start: 3, end: 8 }],
  ['from minute 1 to 2', { start: 60, end: 120 }],
  ['from 1 to 2 minutes', { start: 60, end: 120 }],
  ['from 50 s to 2 minutes', { start: 50, end: 120 }],
  ['first 30 seconds', { start: 0, length: 30 }],
  ['the first two minutes', { start: 0, length: 120 }],
  ['first minute', { start: 0, length: 60 }],
  ['remove the first five seconds', { start: 5 }],
  ['starting at 1:20 for 10 s', { start: 80, length: 10 }],
  ['a 3-second loop', { length: 3 }],
  ['1 min 20 s', { length: 80 }],
  ['1m20s long', { length: 80 }],
  ['half a minute', { length: 30 }],
  ['until 0:45', { end: 45 }],
  ['still at 12 seconds', { at: 12 }],
  ['at minute 3', { at: 180 }],
  ['second 12', { at: 12 }],
  ['every ten seconds', { every: 10 }],
  ['parts of 10 minutes', { partLength: 600 }],
  ['10 minute parts', { partLength: 600 }],
  ['fit in 8 MB', { megabytes: 8 }],
  ['below 1,5mb', { megabytes: 1.5 }],
  ['under 500 kB', { megabytes: 0.5 }],
  ['2 gigs', { megabytes: 2000 }],
  ['at 720p', { height: 720 }],
  ['from 4k to 1080p', { height: 1080 }],
  ['full HD', { height: 1080 }],
  ['1280x720', { width: 1280, height: 720 }],
  ['800 pixels wide', { width: 800 }],
  ['10 fps', { fps: 10 }],
  ['from 60 to 30 fps', { fps: 30 }],
  ['3x faster', { factor: 3 }],
  ['five times slower', { factor: 0.2 }],
  ['1.5 times as fast', { factor: 1.5 }],
  ['at half speed', { factor: 0.5 }],
  ['ten times', { times: 10 }],
  ['6 dB quieter', { decibels: -6 }],
  ['-16 LUFS', { lufs: -16 }],
  ['128 kbps', { kbps: 128 }],
  ['four by four', { columns: 4, rows: 4 }],
])('"%s" says %j', (phrase, values) => {
  expect(valuesOf(phrase)).toEqual(values);
});

test.each([
  'smaller file',
  'h264 to mp4',
  'from 60 to 30',
  'take 2 of 5',
  '9:16 to 16:9',
  '2024-11-26',
  'mp4 to mp3',
  'cut the first 5 seconds',
  'the last 10 seconds',
  'frames 10 to 20',
  '5 to 2 seconds of what',
])('no value is guessed from "%s"', (phrase) => {
  expect(valuesOf(phrase)).not.toMatchObject({ start: expect.anything() });
});

const search = recipeSearch();

test.each<readonly [string, string, object]>([
  ['gif of seconds 2 to 5', 'gif', { start: 2, length: 3 }],
  ['gif from 1:20 to 1:45 at 10 fps below 2 MB', 'gif', { start: 80, length: 25, fps: 10, size: 2 }],
  ['make it fit in 8 MB', 'target-size', { size: 8 }],
  ['compress to 25mb', 'target-size', { size: 25 }],
  ['from 1:20 to 1:45', 'trim', { start: 80, end: 105 }],
  ['first 30 seconds', 'trim', { start: 0, end: 30 }],
  ['keep only from 1:30 to 2:45 without losing quality', 'cut-without-encoding', { start: 90, end: 165 }],
  ['delete the first five seconds', 'trim', { start: 5 }],
  ['3x faster', 'speed', { factor: 3 }],
  ['at 720p', 'resize', { height: 720 }],
  ['grab a still picture at 12 seconds', 'poster', { at: 12 }],
  ['one jpg for every ten seconds of the clip', 'frames', { every: 10 }],
  ['divide the long film in parts of ten minutes', 'split', { length: 600 }],
  ['repeat it 5 times', 'loop', { times: 5 }],
  ['crop to a square', 'crop-to-aspect', { aspect: '1:1' }],
  ['logo lower left', 'watermark', { place: 'bottom-left' }],
  ['put a logo into the upper right corner', 'watermark', { place: 'top-right' }],
  ['watermark in the top left corner', 'watermark', { place: 'top-left' }],
  ['watermark bottom-left', 'watermark', { place: 'bottom-left' }],
  ['logo in the middle', 'watermark', { place: 'centre' }],
])('"%s" finds %s with its values, and says that it is close', async (phrase, name, values) => {
  const { recipes, isClose } = await search(BUILT_IN, phrase);
  expect([recipes[0]?.name, isClose]).toEqual([name, true]);
  expect(recipes[0] && queryArguments(recipes[0], phrase)).toEqual(values);
});

const SIZE = { type: 'number', description: 'Megabytes.', required: true, min: 0.1, max: 1000 } as const;
const argumentsOf = (phrase: string, more: object = {}) =>
  queryArguments({ name: 'own', arguments: { size: SIZE, ...more } }, phrase);

test('the only number that a person has said is the argument that a recipe needs', () => {
  expect(argumentsOf('make it fit in 8')).toEqual({ size: 8 });
  expect(argumentsOf('smaller than 1,5mb')).toEqual({ size: 1.5 });
  const beats = { ...SIZE, description: 'Beats per minute.' };
  expect(queryArguments({ name: 'own', arguments: { beats } }, 'with 120 beats')).toEqual({ beats: 120 });
});

test('a value that the recipe does not allow is not filled in', () => {
  expect(argumentsOf('smaller file')).toEqual({});
  expect(argumentsOf('at most 5000 MB')).toEqual({});
  expect(argumentsOf('cut at 1:30')).toEqual({});
  expect(argumentsOf('between 3 and 8')).toEqual({});
});

test.each([
  ['at the top', { place: 'top' }],
  ['text bottom', { place: 'bottom' }],
  ['in the lower right-hand corner', { place: 'bottom-right' }],
  ['left upper corner', { place: 'top-left' }],
  ['centred', { place: 'centre' }],
  ['text in the middle of the screen', { place: 'centre' }],
  ['on top of the film', {}],
  ['a title in the middle of the film', {}],
  ['text in top quality', {}],
  ['write TOP SECRET on the video', {}],
  ['text of a shopping centre', {}],
  ['with the right words', {}],
])('the place of a text is read from "%s"', (phrase, values) => {
  const text = BUILT_IN.find(({ name }) => name === 'text-overlay');
  expect(text && queryArguments(text, phrase)).toEqual(values);
});

test('colours with names are read for letters and for their outline', () => {
  const burn = BUILT_IN.find(({ name }) => name === 'burn-subtitles');
  expect(burn && queryArguments(burn, 'yellow subtitles with a black outline')).toEqual({
    colour: 'yellow',
    outline: 'black',
  });
  const other = [
    'burn in the subtitles of the blackbird',
    'burn subtitles into a black and white film',
    'subtitles of red.mp4',
  ];
  for (const phrase of other) expect(burn && queryArguments(burn, phrase), phrase).toEqual({});
});

test.each([
  ['red subtitles with an outline in yellow', { colour: 'red', outline: 'yellow' }],
  ['subtitles in white with a black border', { colour: 'white', outline: 'black' }],
  ['white subtitles on a red background', { colour: 'white' }],
])('the colours of "%s" are those of what they stand beside', (phrase, values) => {
  const burn = BUILT_IN.find(({ name }) => name === 'burn-subtitles');
  expect(burn && queryArguments(burn, phrase)).toEqual(values);
});

test('a choice that is not one of places is not read from a place', () => {
  const strength = { type: 'choice', description: 'How much.', choices: { low: '1', middle: '2', high: '3' } } as const;
  expect(queryArguments({ name: 'own', arguments: { strength } } as never, 'logo in the middle')).toEqual({});
});

test('a choice that the recipe does not have is not filled in', () => {
  const logo = BUILT_IN.find(({ name }) => name === 'watermark');
  expect(logo && queryArguments(logo, 'logo at the top')).toEqual({});
});
