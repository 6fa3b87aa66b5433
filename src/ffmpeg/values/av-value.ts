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

/** The names that one build of ffmpeg knows. */
export interface KnownNames {
  readonly pixelFormats: ReadonlySet<string>;
  readonly sampleFormats: ReadonlySet<string>;
  /** Of layouts and of single channels. */
  readonly channelLayouts: ReadonlySet<string>;
  readonly colors: ReadonlySet<string>;
}

/**
 * Whether `value` is of the type, in the range and among the names of `option`. `key` is what the caller wrote. Text
 * passes, whatever it holds: what may stand in it is another's matter. So does what a newer ffmpeg types otherwise,
 * as long as it can hold no expression.
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

/** Without a parenthesis there is no call, so nothing that never ends. */
const plainOnly = (key: string, value: string): ValueError | undefined =>
  value.includes('(')
    ? badValue(`"${key}" takes a plain value, not an expression.`, value, { fix: undefined })
    : undefined;
