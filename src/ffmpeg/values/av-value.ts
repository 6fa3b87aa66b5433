import type { AvOption } from '../catalogue/component.ts';
import { checkAvFlags } from './av-flags.ts';
import { checkAvNumber } from './av-number.ts';
import { checkBoolean } from './boolean.ts';
import { checkChannelLayout } from './channel-layout.ts';
import { checkColor } from './color.ts';
import { checkDictionary } from './dictionary.ts';
import { checkDuration } from './duration.ts';
import { checkPixelFormat, checkSampleFormat } from './media-formats.ts';
import { checkRate } from './rate.ts';
import { checkSize } from './size.ts';
import { badValue, type ValueError } from './value-error.ts';

/** The names that a build of ffmpeg accepts. */
export interface KnownNames {
  readonly pixelFormats: ReadonlySet<string>;
  readonly sampleFormats: ReadonlySet<string>;
  /** Names of layouts and of single channels. */
  readonly channelLayouts: ReadonlySet<string>;
  readonly colors: ReadonlySet<string>;
}

/**
 * Checks that `value` has the type of `option`, is in its range and among its names. `key` is the option as the client
 * wrote it. Text always passes, because av-text.ts checks its content. A type that only a newer ffmpeg has passes if the
 * value cannot contain an expression.
 */
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
    default:
      return plainOnly(key, value);
  }
}

/** Without a parenthesis, the value contains no function call, so ffmpeg cannot evaluate it endlessly. */
const plainOnly = (key: string, value: string): ValueError | undefined =>
  value.includes('(')
    ? badValue(`"${key}" must be a plain value, not an expression.`, value, { fix: undefined })
    : undefined;
