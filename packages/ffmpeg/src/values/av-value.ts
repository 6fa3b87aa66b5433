import type { Lists } from '../catalogue/catalogue.ts';
import type { AvOption } from '../catalogue/component.ts';
import { checkBoolean } from './boolean.ts';
import { checkDictionary } from './dictionary.ts';
import { checkDuration } from './duration.ts';
import { checkChannelLayout, checkColor, checkPixelFormat, checkSampleFormat } from './media-formats.ts';
import { type Constants, isInRange, knownUnits, outOfRange, rangeText, readNumber, readRatio } from './number.ts';
import { checkRate } from './rate.ts';
import { checkSize } from './size.ts';
import { badValue, ofPart, quoted, type ValueError } from './value-error.ts';

/** The names that a build of ffmpeg supports. */
export type KnownNames = Pick<Lists, 'pixelFormats' | 'sampleFormats' | 'channelLayouts' | 'colors'>;

/** Checks the type and the range of a value. `key`: the option as sent. `checkAvText` checks the values of type string. */
export function checkAvValue(key: string, option: AvOption, value: string, known: KnownNames): ValueError | undefined {
  if (option.list) return plainOnly(key, value);
  switch (option.type) {
    case 'int':
    case 'int64':
    case 'uint':
    case 'uint64':
    case 'float':
    case 'double':
    case 'rational':
      return checkAvNumber(key, option, value);
    case 'flags':
      return checkAvFlags(key, option, value);
    case 'boolean':
      return checkBoolean(key, value, (option.min ?? -1) < 0);
    case 'duration':
      return checkDuration(key, value, (option.min ?? -1) < 0);
    case 'image_size':
      return value === 'none' ? undefined : checkSize(key, value);
    case 'video_rate':
      return checkRate(key, value);
    case 'color':
      return checkColor(key, value, known.colors);
    case 'pix_fmt':
      return checkPixelFormat(key, value, known.pixelFormats);
    case 'sample_fmt':
      return checkSampleFormat(key, value, known.sampleFormats);
    case 'channel_layout':
      return value === 'none' ? undefined : checkChannelLayout(key, value, known.channelLayouts);
    case 'dictionary':
      return checkDictionary(key, value);
    case 'string':
    case 'binary':
      return undefined;
  }
}

/** Rejects a list that contains a function call, because ffmpeg may never finish the call. */
const plainOnly = (key: string, value: string): ValueError | undefined =>
  value.includes('(') ? badValue(`"${key}" must be a plain value, not an expression.`, value) : undefined;

/** Matches one name with its sign, in `+faststart`, `frag_keyframe+empty_moov` or `-delay_moov`. The first sign is optional. */
const PARTS = /[+-]?[^+-]+/g;

export function checkAvFlags(key: string, option: AvOption, value: string): ValueError | undefined {
  const parts = value.match(PARTS);
  const names = option.constants.map(({ name }) => name);
  if (parts === null || parts.join('') !== value)
    return badValue(`"${key}" must be names joined by "+"; a name is missing in ${quoted(value)}.`, value, { names });
  const wrong = parts.map((part) => part.replace(/^[+-]/, '')).find((name) => !isFlag(option, name));
  if (wrong === undefined) return undefined;
  return ofPart(badValue(`"${key}" has no flag ${quoted(wrong)}.`, wrong, { names }), wrong);
}

function isFlag(option: AvOption, name: string): boolean {
  if (GENERIC_CONSTANTS.has(name) || option.constants.some((constant) => constant.name === name)) return true;
  const number = readNumber(name, constantsOf(option));
  return number !== undefined && Number.isInteger(number) && number >= -1 && number <= 0xffff_ffff;
}

/** Words that ffmpeg accepts for every number and every flags option. */
const GENERIC_CONSTANTS: ReadonlySet<string> = new Set(['default', 'max', 'min', 'none', 'all']);

/**
 * The number that `option` reads from `value`, in which constants may have names. NaN: a valid constant whose number is unknown, such as
 * "default". undefined: `value` is not a number.
 */
function readAvNumber(option: AvOption, value: string): number | undefined {
  const exact = option.constants.find(({ name }) => name === value);
  if (exact !== undefined) return exact.value ?? Number.NaN;
  if (value === 'all' && !/flags/.test(option.type)) return -1;
  if (GENERIC_CONSTANTS.has(value)) return Number.NaN;
  return (option.type === 'rational' ? readRatio : readNumber)(value, constantsOf(option));
}

/** Looks up the names in a sum, such as `max-1`. A constant whose number is unknown counts as the minimum of the option. */
const constantsOf =
  ({ constants, min = 0, max = min }: AvOption): Constants =>
  (name) => {
    const constant = constants.find((one) => one.name === name);
    if (constant !== undefined) return constant.value ?? min;
    if (name === 'max') return max;
    if (name === 'min' || name === 'default') return min;
    if (name === 'none') return 0;
    return name === 'all' ? -1 : undefined;
  };

function checkAvNumber(key: string, option: AvOption, value: string): ValueError | undefined {
  const read = readAvNumber(option, value);
  if (read !== undefined && (Number.isNaN(read) || isInRange(read, option))) return undefined;
  const words = option.constants.map(({ name }) => name);
  const range = rangeText(option, read);
  const shapes = range === undefined ? ['a number'] : [range];
  if (read === undefined)
    return badValue(
      words.length === 0
        ? `"${key}" must be a number, not ${quoted(value)}.${knownUnits(value)}`
        : `"${key}" does not accept ${quoted(value)}.`,
      value,
      { shapes, names: words },
    );
  return outOfRange(`"${key}" must be ${range}, not ${quoted(value)}${asFactor(value, read)}.`, read, option, [
    ...shapes,
    ...words.slice(0, 19),
  ]);
}

/** The end of a message about a value in decibels, for an option that is a factor. Empty for other values. */
const asFactor = (value: string, read: number): string =>
  /\ddB$/.test(value) ? `, which ffmpeg reads as the factor ${Number(read.toPrecision(3))}` : '';
