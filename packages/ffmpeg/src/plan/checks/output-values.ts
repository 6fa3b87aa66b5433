import { leaveOut, sendIn, sendMembers, sendOption, sendValue } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { FILE_NAME_OPTIONS } from '@telecine/contract/domain/planned-names.ts';
import { libraryRule } from '../../allowlist/encoder-enums.ts';
import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import { meantSetting, presetOfNumber } from '../../allowlist/encoder-words.ts';
import { usualQuality } from '../../allowlist/usual-quality.ts';
import { type Catalogue, encoderNamed, usesOf } from '../../catalogue/catalogue.ts';
import { checkAvValue } from '../../values/av-value.ts';
import { outsideScale } from '../../values/number.ts';
import { checkLibraryValue, checkParamsString } from '../../values/params-string.ts';
import { readRate } from '../../values/rate.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, lastValue } from '../request/argv-option.ts';
import { doubtfulBitRate, withUsualRate } from './bit-rates.ts';
import {
  findOptionTargets,
  noEffectWarning,
  type OptionTarget,
  type OutputContext,
  type ValueWarning,
} from './option-targets.ts';
import { checkStreamValue } from './stream-values.ts';

/** Checks the values of output options. Warns about options without effect, and about doubtful values. */
export function checkOutputValues(output: OutputContext): readonly Warning[] {
  const { options, catalogue, errors } = output;
  const warnings: Warning[] = [];
  for (const option of options) {
    const { name, field, values } = option;
    const [value] = values;
    if (value === undefined || FILE_NAME_OPTIONS.has(name.name)) continue;
    const check = isAvOption(option, catalogue) ? checkAvOption : checkStreamValue;
    const result = check(option, output);
    if (result === undefined) continue;
    if ('warning' in result) warnings.push({ field, ...result.warning });
    else errors.push({ field, ...result });
  }
  return warnings;
}

/** Options of the ffmpeg program whose values go to the encoders unchanged. */
const PASSED_TO_ENCODERS: ReadonlySet<string> = new Set(['b', 'profile']);

const isAvOption = ({ name }: ArgvOption, catalogue: Catalogue): boolean =>
  PASSED_TO_ENCODERS.has(name.name) ||
  (catalogue.cli.get(name.name) === undefined && usesOf(catalogue, name.name).length > 0);

function checkAvOption(option: ArgvOption, output: OutputContext): ValueError | ValueWarning | undefined {
  const { name, key } = option;
  const [value = ''] = option.values;
  const { options, catalogue } = output;
  const { targets, incomplete, streams } = findOptionTargets(name, output);
  for (const target of targets) {
    const check = (one: string): ValueError | undefined => checkTargetValue(key, one, target, catalogue);
    const wrong = check(value);
    const scaled = wrong && outsideScale(wrong, usualQuality(target.encoder ?? '', name.name));
    const error = scaled && withUsualRate(scaled, option, streams);
    if (error !== undefined)
      return inSeconds(option, value, options) ?? withSetting(error, option, target, check, options);
  }
  const numbered = numberedPreset(option, value, targets);
  if (numbered !== undefined) return numbered;
  if (targets.length > 0 || incomplete) return doubtfulBitRate(option, streams);
  // A parameter that names a file is always rejected, because the encoder of another build may use it.
  const params = PARAMS_OPTIONS.get(name.name);
  const error = params === undefined ? undefined : checkParamsString(key, value, params);
  if (error === undefined && streams.length === 0 && options.some((one) => namesUnknownEncoder(one, catalogue)))
    return undefined;
  return error ?? noEffectWarning(option, streams, output);
}

/** True if an option "c" names an unknown encoder. Nothing is then known about the streams of this encoder. */
const namesUnknownEncoder = ({ name, values }: ArgvOption, catalogue: Catalogue): boolean =>
  name.name === 'c' && values.some((one) => one !== 'copy' && encoderNamed(catalogue, one) === undefined);

/** The maximum length of a value that can be a word of an encoder, in characters. */
const MAX_WORD = 40;

/**
 * Adds a fix to the error about a word of another encoder: send the setting of this encoder for the same purpose, or leave the option out.
 * If neither is known, returns the error unchanged.
 */
function withSetting(
  error: ValueError,
  option: ArgvOption,
  { encoder }: OptionTarget,
  check: (value: string) => ValueError | undefined,
  options: readonly ArgvOption[],
): ValueError {
  const [value = ''] = option.values;
  const { name } = option;
  if (value.length > MAX_WORD) return error;
  const both = profileAndLevel(value);
  if (both !== undefined && (name.name === 'profile' || name.name === 'level'))
    return { ...error, fix: levelFix(option, both, options) };
  const meant = encoder === undefined ? undefined : meantSetting(encoder, name.name, value);
  if (meant === undefined) return combinedPreset(error, option, encoder ?? '', check);
  if (meant.value === undefined) return error.fix !== undefined ? error : { ...error, fix: leaveOut() };
  if (meant.option === name.name)
    return check(meant.value) === undefined ? { ...error, fix: sendValue(meant.value) } : error;
  const isSet = options.some((one) => one.name.name === meant.option);
  return { ...error, fix: isSet ? leaveOut() : sendOption(meant.option, meant.value) };
}

/** Splits a profile and a level in one text, as players show them: `High@4.1`, `Main10@L5.1@Main`. undefined: another text. */
function profileAndLevel(value: string): { readonly profile: string; readonly level: string } | undefined {
  const [, profile, level] =
    /^([a-z][a-z\d: -]{0,30}?) ?(?:@|, ?level) ?L?(\d(?:\.\d)?)(?:@\w{1,20})?$/i.exec(value.trim()) ?? [];
  return profile === undefined || level === undefined
    ? undefined
    : { profile: profile.toLowerCase().replaceAll(/[ :-]/g, ''), level };
}

/** The fix that sends the profile and the level as two options. An option that the request already has stays unchanged. */
function levelFix(
  { name, key }: ArgvOption,
  { profile, level }: { readonly profile: string; readonly level: string },
  options: readonly ArgvOption[],
): Hint {
  const isSet = (other: string): boolean => options.some((one) => one.name.name === other);
  if (name.name === 'profile') return isSet('level') ? sendValue(profile) : sendMembers({ [key]: profile, level });
  return isSet('profile') ? sendValue(level) : sendMembers({ 'profile:v': profile, level });
}

/** The error for a preset and a tune in one value, as x264 writes them (`slow,film`), or for the name of a recipe. */
function combinedPreset(
  error: ValueError,
  { name, values: [value = ''] }: ArgvOption,
  encoder: string,
  check: (value: string) => ValueError | undefined,
): ValueError {
  const [, preset, tune] = /^(\w+)(?:\s+|\s*[,/+]\s*)(\w+)$/.exec(value) ?? [];
  const isRecipe = name.name === 'preset' && /^[a-z][a-z\d]*(?:-[a-z\d]+)+$/.test(value);
  if (isRecipe)
    return {
      ...error,
      message: `${error.message} A recipe is a field of the request.`,
      fix: sendIn({ beside: 'parameters' }, 'preset', { name: value }),
    };
  if (name.name !== 'preset' || preset === undefined || tune === undefined || check(preset) !== undefined) return error;
  const tunes = libraryRule(encoder, 'tune');
  if (tunes?.takes !== 'words' || !tunes.words.includes(tune)) return error;
  return { ...error, fix: sendMembers({ preset, tune }) };
}

/** Warns about a preset that is a number. libx264 and libx265 count from the fastest, libsvtav1 from the slowest. */
function numberedPreset(option: ArgvOption, value: string, targets: readonly OptionTarget[]): ValueWarning | undefined {
  const names = option.name.name === 'preset' ? targets.map(({ encoder = '' }) => presetOfNumber(encoder, value)) : [];
  const [name, other] = names.find((one) => one !== undefined) ?? [];
  const encoder = targets.find((target) => target.encoder !== undefined)?.encoder;
  if (name === undefined || other === undefined) return undefined;
  return {
    warning: {
      code: 'UNUSUAL_VALUE',
      message: `"${value}" of ${encoder} is the preset ${name}: its numbers count from the fastest, unlike those of libsvtav1, whose ${value} is like ${other}.`,
      fix: sendValue(name),
    },
  };
}

/** The error for a key frame interval in seconds, which ffmpeg counts in frames. */
function inSeconds({ name, key }: ArgvOption, value: string, options: readonly ArgvOption[]): ValueError | undefined {
  const seconds = /^\s*(\d+(?:\.\d+)?)\s*s(?:ecs?|econds?)?\s*$/i.exec(value)?.[1];
  if (seconds === undefined || (name.name !== 'g' && name.name !== 'keyint_min')) return undefined;
  const rate = readRate(lastValue('r', options) ?? '');
  const frames = rate === undefined ? undefined : String(Math.max(1, Math.round(Number(seconds) * rate)));
  const byTime = name.name === 'g' ? sendOption('force_key_frames', `expr:gte(t,n_forced*${seconds})`) : leaveOut();
  return {
    code: 'BAD_VALUE',
    message: `"${key}" is a number of frames, not ${quoted(value)}: how many these are depends on the frame rate ("r").`,
    allowed: ['a whole number'],
    fix: frames === undefined ? byTime : sendOption(key, frames),
  };
}

function checkTargetValue(
  key: string,
  value: string,
  { option, encoder, generic }: OptionTarget,
  catalogue: Catalogue,
): ValueError | undefined {
  const params = PARAMS_OPTIONS.get(option.name);
  if (params !== undefined && encoder !== undefined) return checkParamsString(key, value, params);
  const rule = encoder === undefined ? undefined : libraryRule(encoder, option.name);
  const checkRule = (): ValueError | undefined =>
    rule === undefined || encoder === undefined ? undefined : checkLibraryValue(key, value, encoder, rule);
  // Do not check `profile` and `level` of all codecs: their names are in the encoder's class, which its help does not print.
  const isProfile = generic === true && (option.name === 'profile' || option.name === 'level');
  if (isProfile && (rule !== undefined || NAME.test(value))) return checkRule();
  // The range of ffmpeg can be wider than that of the library, so that its bound fails too.
  const ranged = rule?.takes === 'range' ? checkRule() : undefined;
  return ranged ?? checkAvValue(key, option, value, catalogue.lists) ?? checkRule();
}

const NAME = /^[A-Za-z_][\w-]*$/;
