import type { Warning } from '@telecine/contract/domain/plan.ts';
import { FILE_NAME_OPTIONS } from '@telecine/contract/domain/planned-names.ts';
import { libraryRule } from '../../allowlist/encoder-enums.ts';
import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import { usualQuality } from '../../allowlist/usual-quality.ts';
import { type Catalogue, encoderNamed, usesOf } from '../../catalogue/catalogue.ts';
import { checkAvValue } from '../../values/av-value.ts';
import { outsideScale } from '../../values/number.ts';
import { checkLibraryValue, checkParamsString, outsideLibrary } from '../../values/params-string.ts';
import type { ValueError } from '../../values/value-error.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { doubtfulBitRate } from './bit-rates.ts';
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
    const wrong = checkTargetValue(key, value, target, catalogue);
    if (wrong !== undefined) return outsideScale(wrong, usualQuality(target.encoder ?? '', name.name));
  }
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
  if (ranged !== undefined) return ranged;
  const error = checkAvValue(key, option, value, catalogue.lists);
  // What the library documents is narrower than what ffmpeg takes for it.
  return error?.code === 'OUT_OF_RANGE' && rule?.takes === 'range' && encoder !== undefined
    ? outsideLibrary(key, value, encoder, rule)
    : (error ?? checkRule());
}

const NAME = /^[A-Za-z_][\w-]*$/;
