import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { CliValue } from '../allowlist/allowed-cli-options.ts';
import { isReleaseFrom } from '../catalogue/build.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { checkExpression } from '../expression/expression.ts';
import type { KnownNames } from './av-value.ts';
import { checkBoolean } from './boolean.ts';
import { checkDuration } from './duration.ts';
import { checkChannelLayout, checkPixelFormat, checkSampleFormat } from './media-formats.ts';
import { readPlainNumber, readRatio } from './number.ts';
import { checkNumberRule } from './number-rule.ts';
import { checkRate } from './rate.ts';
import { checkSize } from './size.ts';
import { badExpression, badValue, ofPart, quoted, type ValueError } from './value-error.ts';

/** What an ffmpeg build accepts: the names that it lists, and its release. */
type KnownValues = Pick<Catalogue, 'lists' | 'build'>;

const notACodec = (key: string, value: string, { encoders }: KnownValues['lists']): ValueError =>
  badValue(`"${key}" must be the name of a codec, not ${quoted(value)}.`, value, {
    names: ['copy', ...encoders.keys()],
  });

/** Checks the value of an option of the ffmpeg program, such as `ss` or `map`. `key`: the option as sent. */
export function checkCliValue(
  key: string,
  value: string,
  rule: CliValue,
  { lists: known, build }: KnownValues,
): ValueError | undefined {
  switch (rule.takes) {
    case 'number':
      return checkNumberRule(key, value, readPlainNumber(value), rule);
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
      return checkForcedKeyFrames(key, value, build);
    case 'pixel format':
      return checkFormat(key, value, known);
    case 'sample format':
      return checkSampleFormat(key, value, known.sampleFormats);
    case 'channel layout':
      return checkChannelLayout(key, value, known.channelLayouts);
    case 'codec':
      return /^[\w.+-]+$/.test(value) ? undefined : notACodec(key, value, known);
    case 'words':
      if (rule.names.includes(value)) return undefined;
      return badValue(`"${key}" does not accept ${quoted(value)}.`, value, { names: rule.names });
    case 'flags':
      return checkFlags(key, value, rule.names);
    case 'shape':
      if (rule.pattern.test(value)) return undefined;
      return badValue(`"${key}" must be ${rule.shape}, not ${quoted(value)}.`, value, { shapes: [rule.shape] });
    case 'as the encoder':
    case 'text':
      return undefined;
  }
}

/** Checks a pixel format. With `+NAME`, ffmpeg fails if the encoder does not support the format. `+` alone is the format of the input. */
function checkFormat(key: string, value: string, { pixelFormats }: KnownNames): ValueError | undefined {
  const name = value.replace(/^\+/, '');
  const error = value === '+' ? undefined : checkPixelFormat(key, name, pixelFormats);
  return error === undefined || name === value ? error : ofPart(error, name);
}

function checkFlags(key: string, value: string, names: readonly string[]): ValueError | undefined {
  if (value === 'none' || value === 'all' || readPlainNumber(value) !== undefined) return undefined;
  const parts = value.match(/[+-]?[^+-]+/g) ?? [];
  const wrong = parts.map((part) => part.replace(/^[+-]/, '')).find((part) => !names.includes(part));
  if (wrong === undefined && parts.join('') === value) return undefined;
  const error = badValue(`"${key}" has no flag ${quoted(wrong ?? value)}.`, wrong ?? value, { names });
  return wrong === undefined ? error : ofPart(error, wrong);
}

function checkRatio(key: string, value: string): ValueError | undefined {
  const ratio = readRatio(value);
  if (ratio !== undefined && ratio >= 0) return undefined;
  return badValue(`"${key}" must be a ratio, not ${quoted(value)}.`, value, { shapes: ['16:9', '1.778'] });
}

const EXPRESSION = /^expr:/;
const CHAPTERS = /^chapters(?:[+-].+)?$/;
const KEY_FRAME_SHAPES = ['0,5.5,00:01:00', 'chapters', 'source', 'expr:gte(t,n_forced*2)'];

/**
 * The first release with which `force_key_frames` may be `scd_metadata`. 5.1 and 7.1 take the value for a time and fail. Later sources of
 * ffmpeg implement it; from which release on is not known.
 */
const FIRST_WITH_SCENES = [8, 0] as const;

/**
 * Checks the value that says where an encoder must write key frames: at times, at chapters, at the key frames of the input (`source`), at
 * the changes of the scene that the filter `scdet` has marked (`scd_metadata`), or where an expression is true.
 */
function checkForcedKeyFrames(key: string, value: string, { release }: KnownValues['build']): ValueError | undefined {
  if (value === 'source' || value === 'source_no_drop') return undefined;
  if (value === 'scd_metadata') {
    if (release === undefined || isReleaseFrom(release, FIRST_WITH_SCENES)) return undefined;
    return badValue(`"${key}" does not accept "scd_metadata" with ffmpeg ${release.join('.')}.`, value, {
      shapes: KEY_FRAME_SHAPES,
    });
  }
  if (EXPRESSION.test(value)) return checkKeyFrameExpression(key, value);
  const wrong = value.split(',').find((time) => !CHAPTERS.test(time) && parseDuration(time) === undefined);
  if (wrong === undefined) return undefined;
  return badValue(`"${key}" must be a list of times; ${quoted(wrong)} is not a time.`, value, {
    shapes: KEY_FRAME_SHAPES,
  });
}

function checkKeyFrameExpression(key: string, value: string): ValueError | undefined {
  const error = checkExpression(value.slice('expr:'.length));
  return error && badExpression(key, value, error);
}
