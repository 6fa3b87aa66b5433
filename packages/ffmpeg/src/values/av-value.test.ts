import { suggest } from '@telecine/contract/domain/suggest.ts';
import { expect, test } from 'vitest';
import type { AvConstant, AvOption, AvType } from '../catalogue/component.ts';
import { checkAvValue, type KnownNames } from './av-value.ts';

const known: KnownNames = {
  pixelFormats: new Set(['yuv420p', 'yuv420p10le', 'rgb24']),
  sampleFormats: new Set(['s16', 'fltp']),
  channelLayouts: new Set(['stereo', '5.1(side)', 'FL', 'FR', 'LFE']),
  colors: new Set(['red', 'aliceblue']),
};

const option = (type: AvType, more: Partial<AvOption> = {}): AvOption => ({
  name: 'x',
  type,
  list: false,
  encoding: true,
  decoding: false,
  media: 'V',
  deprecated: false,
  readOnly: false,
  help: '',
  constants: [],
  ...more,
});

const named = (...names: string[]): AvConstant[] => names.map((name) => ({ name, help: '' }));

const CHOICE = option('int', {
  min: 0,
  max: 2,
  constants: [
    { name: 'slow', value: 0, help: '' },
    { name: 'fast', value: 2, help: '' },
  ],
});
const FLAGS = option('flags', { constants: named('fast', 'global_header', 'mv4') });

test.each<[string, AvOption, string]>([
  ['a number in its range', option('int', { min: -1, max: 10 }), '-1'],
  ['a fraction for a whole number, which ffmpeg rounds', option('int', { min: 0, max: 10 }), '2.5'],
  ['a number with a unit', option('int64', { min: 0 }), '1.5M'],
  ['any number without bounds', option('double'), '-1e300'],
  ['a ratio', option('rational', { min: 0, max: 255 }), '16:9'],
  ['a word', CHOICE, 'fast'],
  ['a word in a sum', CHOICE, 'fast-slow'],
  ['a word that every numeric option accepts', CHOICE, 'default'],
  ['flags with signs', FLAGS, '+fast-mv4'],
  ['flags without a sign', FLAGS, 'fast+mv4'],
  ['flags as a number', FLAGS, '0x21'],
  ['no flags', FLAGS, '0'],
  ['a boolean', option('boolean', { min: 0 }), 'on'],
  ['the boolean "auto"', option('boolean'), 'auto'],
  ['a time', option('duration'), '00:00:01.5'],
  ['a size', option('image_size'), '640x360'],
  ['a size by name', option('image_size'), 'vga'],
  ['"none" as a size', option('image_size'), 'none'],
  ['a rate', option('video_rate'), '24000/1001'],
  ['a colour by name, in any case', option('color'), 'AliceBlue'],
  ['a colour with its opacity', option('color'), 'red@0.5'],
  ['a colour in hexadecimal digits', option('color'), '#ff000080'],
  ['a random colour', option('color'), 'random'],
  ['a pixel format', option('pix_fmt'), 'yuv420p'],
  ['a pixel format of the machine’s byte order', option('pix_fmt'), 'yuv420p10'],
  ['a sample format', option('sample_fmt'), 'fltp'],
  ['a layout', option('channel_layout'), 'stereo'],
  ['a layout by its channels', option('channel_layout'), 'FL+FR+LFE'],
  ['name-value pairs', option('dictionary'), "a=1:b='2:3'"],
  ['any text', option('string'), 'x(y)'],
  ['a list, whatever its type', option('int', { list: true, max: 3 }), '1,2,9'],
])('accepts: %s', (_what, of, value) => {
  expect(checkAvValue('x', of, value, known)).toBeUndefined();
});

test.each<[AvOption, string, string, string?]>([
  [option('int', { min: 0, max: 10 }), '11', '"x" must be 0 to 10, not "11".', 'Send "10", or less.'],
  [option('int', { min: 0 }), '-2', '"x" must be at least 0, not "-2".', 'Send "0", or more.'],
  [option('float'), '1,5', '"x" must be a number, not "1,5".'],
  [option('int'), 'while(1,1)', '"x" must be a number, not "while(1,1)".'],
  [CHOICE, 'fats', '"x" does not accept "fats".', 'Send "fast".'],
  [CHOICE, '3', '"x" must be 0 to 2, not "3".', 'Send "2", or less.'],
  [FLAGS, 'fats', '"x" has no flag "fats".', 'Send "fast".'],
  [FLAGS, '+fast+mv5', '"x" has no flag "mv5".', 'Send "mv4".'],
  [FLAGS, 'fast|mv4', '"x" has no flag "fast|mv4".'],
  [FLAGS, 'fast+', '"x" must be names joined by "+"; a name is missing in "fast+".', 'Send "fast".'],
  [option('boolean', { min: 0 }), 'auto', '"x" must be on or off, not "auto".'],
  [option('boolean'), 'maybe', '"x" must be on or off or "auto", not "maybe".'],
  [option('duration'), 'soon', '"x" must be a time, not "soon".'],
  [option('duration', { min: 0 }), '-5', '"x" cannot be negative.'],
  [option('image_size'), '640', '"x" must be a size in pixels, width first, not "640".'],
  [option('video_rate'), '0', '"x" must be a number of frames per second, not "0".'],
  [option('color'), 'redd', '"x" must be a colour, not "redd".', 'Send "red".'],
  [option('color'), 'red@1.5', '"x" must be a colour, not "red@1.5".'],
  [option('color'), '#f00', '"x" must be a colour, not "#f00".'],
  [
    option('pix_fmt'),
    'yuv402p',
    '"x" must be a pixel format of the installed ffmpeg, not "yuv402p".',
    'Send "yuv420p".',
  ],
  [option('sample_fmt'), 's15', '"x" must be a sample format of the installed ffmpeg, not "s15".', 'Send "s16".'],
  [option('channel_layout'), 'sterio', '"x" must be a channel layout, not "sterio".', 'Send "stereo".'],
  [
    option('dictionary'),
    'a',
    '"x" must be a list of "name=value" joined by ":"; a name, its "=" or its value is missing in "a".',
  ],
  [option('int', { list: true }), 'max(1,2)', '"x" must be a plain value, not an expression.'],
])('rejects %# with a message and what is nearest', (of, value, message, fix) => {
  const error = checkAvValue('x', of, value, known);
  expect([error?.message, error && suggest(error).fix]).toEqual([message, fix]);
});
