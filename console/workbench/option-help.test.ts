import { expect, test } from 'vitest';
import {
  isGraph,
  kindOf,
  meaningFor,
  nameSuggestions,
  namesEncoder,
  type OptionMeaning,
  rangeText,
  valueSuggestions,
  wordsOf,
} from './option-help.ts';

const option = (name: string, of: readonly string[], more: Partial<OptionMeaning> = {}): OptionMeaning => ({
  name,
  of: [...of],
  on: 'output',
  type: 'float',
  description: `what ${name} does`,
  ...more,
});
const namesOf = (all: readonly { readonly value: string }[]) => all.map(({ value }) => value);

test('an option means what it means for the chosen encoder', () => {
  const meanings = [option('preset', ['libx264']), option('preset', ['libsvtav1'], { type: 'int' })];
  expect(meaningFor(meanings, { video: 'libsvtav1' }, 'output')?.of).toEqual(['libsvtav1']);
  expect(meaningFor(meanings, {}, 'output')?.of).toEqual(['libx264']);
  expect(meaningFor(meanings, {}, 'input')).toBeUndefined();
});

test('an option of ffmpeg itself comes before those of other encoders', () => {
  const meanings = [option('t', ['other']), option('t', ['ffmpeg'], { on: 'both' })];
  expect(meaningFor(meanings, { video: 'libx264' }, 'input')?.of).toEqual(['ffmpeg']);
});

test('the kind of stream comes from the specifier', () => {
  expect([kindOf('c:v'), kindOf('c:a:0'), kindOf('scodec'), kindOf('crf'), kindOf('metadata:s:a:0')]).toEqual([
    'video',
    'audio',
    'subtitle',
    undefined,
    'subtitle',
  ]);
  expect([namesEncoder('c:v'), namesEncoder('vcodec'), namesEncoder('crf')]).toEqual([true, true, false]);
  expect([isGraph('vf'), isGraph('filter:a:0'), isGraph('filter_complex'), isGraph('vframes')]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('names of the chosen encoder that begin with the text come first, each once', () => {
  const own = [option('x264-params', ['libx264']), option('crf_max', ['libx264']), option('crf', ['libx264'])];
  const found = [option('crf', ['libx265']), option('qp', ['libx264'], { description: 'not crf' })];
  expect(namesOf(nameSuggestions('crf', own, found))).toEqual(['crf', 'crf_max', 'qp']);
  expect(namesOf(nameSuggestions('', own, found))).toContain('c:v');
});

test('values are the constants of the option', () => {
  const constants = [
    { name: 'film', help: '' },
    { name: 'grain', help: 'keep it' },
  ];
  const tune = option('tune', ['libx264'], { type: 'string', constants });
  expect(valueSuggestions('', tune, [])).toEqual([{ value: 'film' }, { value: 'grain', detail: 'keep it' }]);
  expect(namesOf(valueSuggestions('gr', tune, []))).toEqual(['grain']);
  // If the field contains a whole value, the other values are suggested too.
  expect(namesOf(valueSuggestions('film', tune, []))).toEqual(['film', 'grain']);
  expect(namesOf(valueSuggestions('', option('x', [], { type: 'boolean' }), []))).toEqual(['true', 'false']);
});

test('the form, the range, usual values and the default are in a line', () => {
  expect(rangeText(option('quality', [], { min: 0, max: 100, usual: '70 to 90', default: '75' }))).toBe(
    '0 to 100, usually 70 to 90, default 75',
  );
  expect(rangeText(option('itsoffset', [], { type: 'duration', default: '0' }))).toBe('seconds or h:mm:ss, default 0');
  expect(rangeText(option('crf', [], { min: 0, max: 51, usual: '18 to 28' }))).toBe('0 to 51, usually 18 to 28');
  expect(rangeText(option('bf', [], { min: -1, max: 16, default: '3' }))).toBe('-1 to 16, default 3');
  expect(rangeText(option('g', [], { min: 0, max: 2 ** 31 - 1 }))).toBe('at least 0');
  expect(rangeText(option('t', ['ffmpeg'], { type: 'value' }))).toBe('');
});

test('an option is named in words: ours if it is frequent, otherwise those of ffmpeg', () => {
  expect(wordsOf('c:v', option('c', ['ffmpeg'], { description: 'codec name' }))).toBe('Video encoder');
  const description = 'Weighted prediction for P-frames (cf. x264 --fullhelp)';
  expect(wordsOf('weightp', option('weightp', ['libx264'], { description }))).toBe('Weighted prediction for P-frames');
  expect(wordsOf('crf:v', option('crf', ['libx264'], { description }))).toBe('Quality of the video');
});
