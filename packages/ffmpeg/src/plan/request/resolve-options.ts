import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, hasEnough } from '@telecine/contract/domain/problem.ts';
import { CLI_RULES, type CliRule } from '../../allowlist/allowed-cli-options.ts';
import { isTextType } from '../../allowlist/av-text.ts';
import { isDropped } from '../../allowlist/rejected-options.ts';
import { checkBsfs } from '../../bsf/check-bsfs.ts';
import type { Build } from '../../catalogue/build.ts';
import { type Catalogue, type CliFacts, isCodecUse, usesOf } from '../../catalogue/catalogue.ts';
import type { ComponentName } from '../../catalogue/component.ts';
import { componentOf } from '../../catalogue/components.ts';
import { notBoolean } from '../../values/boolean.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type ArgvOption, avOptionSide, type OptionSide } from './argv-option.ts';
import { hwaccelOptions, withHwaccel } from './hwaccel-options.ts';
import {
  checkOptionText,
  checkShellQuotes,
  type ElementError,
  resolveAvValue,
  resolveCliValues,
} from './option-values.ts';
import { isMisnamed, type MisnamedOption, type ParsedOption, type ParsedOptions } from './parse-request.ts';
import { checkRejected, checkSpecifier, isWordForOption, unusableOption, unusedOption } from './unknown-options.ts';
import { HANDLED_ELSEWHERE } from './whole-run-options.ts';

export interface OptionContext {
  readonly catalogue: Catalogue;
  /** The muxer of the output. undefined: the request names no valid muxer. */
  readonly muxer: string | undefined;
  readonly errors: FieldError[];
  /** About options that are dropped. */
  readonly warnings: Warning[];
  /** True if the output has no video. */
  readonly audioOnly: boolean;
  /** Present for the options of one input. */
  readonly isInput?: true;
  /** True if every input is a container. Options of raw and image demuxers then apply to no input. */
  readonly containersOnly: boolean;
  /** The components that the request names, or whose options it sets. */
  readonly components: readonly ComponentName[];
}

/**
 * Looks up each option in the catalogue and checks it against the allowlist, in the client's order. The result lacks flags that are off
 * (`"an": "false"`), options that other code handles, and options with errors. The errors are added to `context.errors`.
 */
export function resolveOptions(parsed: ParsedOptions, context: OptionContext): readonly ArgvOption[] {
  const { catalogue, errors } = context;
  const skipped = withHwaccel(HANDLED_ELSEWHERE, catalogue);
  const earlier = new Map<string, ParsedOption>();
  const options: ArgvOption[] = [];
  for (const option of parsed) {
    if (isDroppedOption(option, context)) continue;
    const result = isMisnamed(option)
      ? option.error
      : (duplicateOf(option, earlier) ?? (hasEnough(errors) ? undefined : resolveValue(option, skipped, context)));
    if (result === undefined) continue;
    if (isList(result))
      for (const { index, ...error } of result) errors.push({ field: `${option.field}/${index}`, ...error });
    else if (!('code' in result)) options.push(result);
    else errors.push({ field: option.field, ...result });
  }
  return [...options, ...hwaccelOptions(parsed, catalogue, errors)];
}

const isList = <T, U>(result: readonly T[] | U): result is readonly T[] => Array.isArray(result);

/** True if an option is dropped because it cannot change the output. Adds a warning about it. */
function isDroppedOption(option: ParsedOption | MisnamedOption, { warnings, isInput }: OptionContext): boolean {
  if (isMisnamed(option)) return false;
  const { name, specifier } = option.name;
  // `sws_flags` of an input has no effect: ffmpeg applies this option to filters of the output only.
  const isScalerFlags = isInput === true && name === 'sws_flags' && /^[\w+-]*$/.test(String(option.value));
  if (!isScalerFlags && !isDropped(name, specifier, option.value)) return false;
  warnings.push({
    field: option.field,
    code: 'NO_EFFECT',
    message: `"${option.sentName}" is ignored: ${isScalerFlags ? 'ffmpeg scales only on the side of the output' : 'it does not change the output, and the service sets it itself'}.`,
  });
  return true;
}

function duplicateOf(option: ParsedOption, earlier: Map<string, ParsedOption>): ValueError | undefined {
  const other = earlier.get(option.key);
  if (other === undefined) {
    earlier.set(option.key, option);
    return undefined;
  }
  return {
    code: 'DUPLICATE_OPTION',
    message: `"${other.sentName}" and "${option.sentName}" are two names of the same option.`,
  };
}

type Resolved = ArgvOption | ValueError | readonly ElementError[] | undefined;

function resolveValue(option: ParsedOption, skipped: ReadonlySet<string>, context: OptionContext): Resolved {
  if (skipped.has(option.key)) return undefined;
  const error =
    checkOptionText(option.value) ?? checkRejected(option.name) ?? checkShellQuotes(option.name.name, option.value);
  if (error !== undefined) return error;
  const { name } = option.name;
  const { catalogue } = context;
  const rule = CLI_RULES.get(name);
  if (rule === undefined) return catalogue.cli.has(name) ? notAllowed(name) : resolveAvOption(option, context);
  const facts = catalogue.cli.get(name);
  // ffmpeg would read this name as its own option, not as the AVOption of the same name, and nobody knows whether its own option takes a value.
  if (facts === null) return notAllowed(name);
  if (facts === undefined) return resolveAvOption(option, context);
  return resolveCliOption(option, facts, rule, catalogue);
}

const notAllowed = (name: string): ValueError => ({
  code: 'OPTION_NOT_ALLOWED',
  message: `"${name}" is not allowed by this service.`,
});

function resolveCliOption(
  option: ParsedOption,
  facts: CliFacts,
  rule: CliRule,
  catalogue: Catalogue,
): ArgvOption | ValueError | readonly ElementError[] | undefined {
  const specifierError = checkSpecifier(option.name, rule.specifier);
  if (specifierError !== undefined) return specifierError;
  const result = resolveCliValues(option.sentName, option.value, facts, rule, catalogue);
  if (isList(result) || 'code' in result) return result;
  if (option.isBoolean && rule.value.takes !== 'boolean') return notBoolean(option.key);
  if (result.values === undefined) return undefined;
  const side = facts.place === 'both' ? 'either' : facts.place;
  if (option.name.name !== 'map') return toArgv(option, side, result.values, false);
  const maps = result.values.map((map) => readableMap(map, catalogue.build));
  return toArgv(option, side, maps, false);
}

const readableMap = (map: string, build: Build): string => withSeparateMark(withInputNumber(map), build);

/** Adds the number of the first input to a map without one: `v:0`, `:v`, `-s`, `#0x101`. ffmpeg reads the map in this way. */
const withInputNumber = (map: string): string => map.replace(/^(-?)(?::|(?=[a-zV#]))/, '$10:');

/**
 * Adds a colon before the "?" of a map by tag: `0:m:language:fra?`. Since ffmpeg 7.1, the value of a tag includes the "?" if no colon ends
 * it. Older releases do not accept this colon, so they get none.
 */
const withSeparateMark = (map: string, { release }: Build): string =>
  release === undefined || release[0] > 7 || (release[0] === 7 && release[1] >= 1)
    ? map.replace(/(:m:[^:]+:(?:\\.|[^:\\])+)\?$/, '$1:?')
    : map;

function resolveAvOption(option: ParsedOption, context: OptionContext): ArgvOption | ValueError {
  const { catalogue, muxer } = context;
  const { name } = option;
  const uses = usesOf(catalogue, name.name);
  if (uses.length === 0) return unusableOption(option, catalogue);
  const specifierError = checkSpecifier(name, uses.some(isCodecUse) ? 'stream' : undefined);
  if (specifierError !== undefined) return specifierError;
  const result = resolveAvValue(option.sentName, name.name, option.value, uses);
  if ('code' in result) return result;
  if (option.isBoolean && uses.some(({ type }) => isTextType(type))) return notBoolean(option.key);
  const side = avOptionSide(name.name, uses, catalogue, muxer);
  if (isWordForOption(name) && isUnused(name.name, side, context)) return unusedOption(option, catalogue);
  const containerOnly = uses.every((use) => !use.encoding || (use.owner === 'private' && use.media === ''));
  return toArgv(option, side, [result.value], containerOnly);
}

function toArgv(
  { name, key, field, isBoolean, graphs, bitstreamFilters }: ParsedOption,
  side: OptionSide,
  values: readonly string[],
  containerOnly: boolean,
): ArgvOption {
  const option = { name, key, field, side, values, containerOnly, ...(isBoolean && { isBoolean }) };
  if (graphs !== undefined) return { ...option, graphs };
  return bitstreamFilters === undefined ? option : { ...option, bitstreamFilters };
}

/** True if the option means something else in other tools, such as `width`, and nothing in the conversion uses it. */
function isUnused(name: string, side: OptionSide, { catalogue, components, containersOnly }: OptionContext): boolean {
  if (side === 'input') return containersOnly;
  if (catalogue.generic.codec.has(name) || catalogue.generic.format.has(name)) return false;
  return !components.some(
    ({ kind, name: component }) =>
      kind !== 'filter' &&
      kind !== 'bsf' &&
      componentOf(catalogue, kind, component)?.options.some((one) => one.name === name),
  );
}

/** Checks the bitstream filters, and replaces each list by a text with a name for every option. */
export function resolveBitstreamFilters(
  options: readonly ArgvOption[],
  catalogue: Catalogue,
  errors: FieldError[],
): readonly ArgvOption[] {
  if (!options.some(({ bitstreamFilters }) => bitstreamFilters !== undefined)) return options;
  return options.map((option) => {
    const { key, field, values, bitstreamFilters } = option;
    if (bitstreamFilters === undefined) return option;
    const result = checkBsfs(key, values[0] ?? '', bitstreamFilters, catalogue);
    if ('value' in result) return { ...option, values: [result.value] };
    errors.push({ field, ...result });
    return option;
  });
}
