import type { CliValue } from '../allowlist/cli-rules.ts';
import type { KnownNames } from './av-value.ts';
import { checkBoolean } from './boolean.ts';
import { checkChannelLayout } from './channel-layout.ts';
import { checkDuration } from './duration.ts';
import { checkForcedKeyFrames } from './key-frames.ts';
import { checkPixelFormat, checkSampleFormat } from './media-formats.ts';
import { readPlainNumber } from './number.ts';
import { isInRange, nearestBound, rangeText } from './range.ts';
import { checkRate } from './rate.ts';
import { checkRatio } from './ratio.ts';
import { checkSize } from './size.ts';
import { suggestNumber } from './suggest-number.ts';
import { badValue, quoted, sendInstead, type ValueError } from './value-error.ts';

/** Whether an option of ffmpeg's own can be given `value`. `key` is what the caller wrote. */
export function checkCliValue(key: string, value: string, rule: CliValue, known: KnownNames): ValueError | undefined {
  switch (rule.takes) {
    case 'number':
      return checkNumber(key, value, rule);
    case 'time':
      return checkDuration(key, value, rule.signed);
    case 'rate':
      return checkRate(key, value);
    case 'size':
      return checkSize(key, value);
    case 'ratio':
      return checkRatio(key, value);
    case 'boolean':
      return checkBoolean(key, value, false);
    case 'key frames':
      return checkForcedKeyFrames(key, value);
    case 'pixel format':
      // "+" means: this one or none; a "+" alone, that of the input.
      return value === '+' ? undefined : checkPixelFormat(key, value.replace(/^\+/, ''), known.pixelFormats);
    case 'sample format':
      return checkSampleFormat(key, value, known.sampleFormats);
    case 'channel layout':
      return checkChannelLayout(key, value, known.channelLayouts);
    case 'codec':
      if (/^[\w.+-]+$/.test(value)) return undefined;
      return {
        code: 'BAD_VALUE',
        message: `${quoted(value)} is no name of a codec.`,
        fix: 'Send "copy" or an encoder.',
      };
    case 'words':
      if (rule.names.includes(value)) return undefined;
      return badValue(`"${key}" knows no ${quoted(value)}.`, value, { names: rule.names });
    case 'flags':
      return checkFlags(key, value, rule.names);
    case 'shape':
      if (rule.pattern.test(value)) return undefined;
      return badValue(`"${key}" takes ${rule.shape}, and ${quoted(value)} is none.`, value, { shapes: [rule.shape] });
    case 'as the encoder':
    case 'text':
      return undefined;
  }
}

function checkNumber(key: string, value: string, rule: CliValue & { takes: 'number' }): ValueError | undefined {
  const number = readPlainNumber(value);
  const range = rangeText(rule);
  const shapes = [range ?? (rule.whole ? 'a whole number' : 'a number')];
  if (number === undefined || (rule.whole && !Number.isInteger(number)))
    return badValue(`"${key}" is a ${rule.whole ? 'whole ' : ''}number, and ${quoted(value)} is none.`, value, {
      shapes,
      fix: suggestNumber(value) ?? CHANNELS[key.replace(/:.*/, '')]?.[value.toLowerCase()],
    });
  if (isInRange(number, rule)) return undefined;
  return {
    code: 'OUT_OF_RANGE',
    message: `"${key}" is ${range}, and ${quoted(value)} is outside.`,
    allowed: shapes,
    fix: sendInstead(nearestBound(number, rule)),
  };
}

/** Layouts that people send as a count of channels. */
const CHANNELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ac: { mono: '1', stereo: '2', '5.1': '6', '7.1': '8' },
};

function checkFlags(key: string, value: string, names: readonly string[]): ValueError | undefined {
  if (value === 'none' || value === 'all' || readPlainNumber(value) !== undefined) return undefined;
  const parts = value.match(/[+-]?[^+-]+/g) ?? [];
  const wrong = parts.map((part) => part.replace(/^[+-]/, '')).find((part) => !names.includes(part));
  if (wrong === undefined && parts.join('') === value) return undefined;
  return badValue(`"${key}" has no flag ${quoted(wrong ?? value)}.`, wrong ?? value, { names });
}
