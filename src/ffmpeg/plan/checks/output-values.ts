import type { Warning } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { libraryRule } from '../../allowlist/encoder-enums.ts';
import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import { FILE_NAME_OPTIONS } from '../../allowlist/file-name-options.ts';
import { type Catalogue, usesOf } from '../../catalogue/catalogue.ts';
import { checkAvValue } from '../../values/av-value.ts';
import { checkLibraryValue } from '../../values/library-value.ts';
import { checkParamsString } from '../../values/params-string.ts';
import type { ValueError } from '../../values/value-error.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/resolve-options.ts';
import { noEffectWarning, type ValueWarning } from './no-effect.ts';
import { findOptionTargets, type OptionTarget } from './option-targets.ts';
import { checkStreamValue } from './stream-values.ts';

/** What an output is made by, besides its options. */
export interface OutputContext {
  readonly catalogue: Catalogue;
  readonly muxer: string | undefined;
  readonly encoders: StreamEncoders;
}

/**
 * Whether the values of output options are right for the encoders and the container that will be given them. What is
 * wrong is added to `errors`; what nobody will take is told in what it returns.
 */
export function checkOutputValues(
  options: readonly ArgvOption[],
  output: OutputContext,
  errors: FieldError[],
): readonly Warning[] {
  const { catalogue, encoders } = output;
  const warnings: Warning[] = [];
  for (const option of options) {
    const { name, field, values } = option;
    const [value] = values;
    if (value === undefined || FILE_NAME_OPTIONS.has(name.name)) continue;
    const told = isAvOption(option, catalogue)
      ? checkAvOption(option, value, encoders, output)
      : checkStreamValue(option, value, encoders, catalogue);
    if (told === undefined) continue;
    if ('warning' in told) warnings.push({ field, ...told.warning });
    else errors.push({ field, ...told });
  }
  return warnings;
}

/** Options of ffmpeg's own that it hands to the encoders as they are. */
const HANDED_ON: ReadonlySet<string> = new Set(['b', 'profile']);

const isAvOption = ({ name }: ArgvOption, catalogue: Catalogue): boolean =>
  HANDED_ON.has(name.name) || (catalogue.cli.get(name.name) === undefined && usesOf(catalogue, name.name).length > 0);

function checkAvOption(
  option: ArgvOption,
  value: string,
  makers: StreamEncoders,
  output: OutputContext,
): ValueError | ValueWarning | undefined {
  const { catalogue, muxer } = output;
  const { name, key } = option;
  const found = findOptionTargets(name, makers, muxer, catalogue);
  for (const receiver of found.targets) {
    const fault = checkReceived(key, value, receiver, catalogue);
    if (fault !== undefined) return fault;
  }
  if (found.targets.length > 0 || found.unsure) return name.name === 'b' ? slowRate(key, value) : undefined;
  // Keys that name files are refused all the same: what nobody reads here may be read by another build.
  const keyed = PARAMS_OPTIONS.get(name.name);
  const fault = keyed === undefined ? undefined : checkParamsString(key, value, keyed);
  return fault ?? noEffectWarning(option, found.encoders, muxer, catalogue);
}

function checkReceived(
  key: string,
  value: string,
  receiver: OptionTarget,
  catalogue: Catalogue,
): ValueError | undefined {
  const { option, encoder, generic } = receiver;
  const rule = encoder === undefined ? undefined : libraryRule(encoder, option.name);
  const keyed = PARAMS_OPTIONS.get(option.name);
  if (keyed !== undefined && encoder !== undefined) return checkParamsString(key, value, keyed);
  // ffmpeg finds names of profiles and levels in the encoder's class, which its help does not print.
  if (
    generic === true &&
    (option.name === 'profile' || option.name === 'level') &&
    (rule !== undefined || WORD.test(value))
  )
    return rule === undefined || encoder === undefined ? undefined : checkLibraryValue(key, value, encoder, rule);
  const fault = checkAvValue(key, option, value, catalogue.lists);
  if (fault !== undefined || rule === undefined || encoder === undefined) return fault;
  return checkLibraryValue(key, value, encoder, rule);
}

/** ffmpeg counts bits; people think in thousands of them. */
function slowRate(key: string, value: string): ValueWarning | undefined {
  const rate = /^\d{2,3}$/.test(value) ? Number(value) : 0;
  if (rate === 0) return undefined;
  const message = `"${key}" is ${rate} bits a second.`;
  return { warning: { code: 'LOW_BIT_RATE', message, fix: `For kilobits send "${rate}k".` } };
}

const WORD = /^[A-Za-z_][\w-]*$/;
