import { closestMatch } from '../../../domain/closest-match.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { CLI_RULES, type CliRule } from '../../allowlist/cli-rules.ts';
import { rejectionReasonOf } from '../../allowlist/rejection-reasons.ts';
import { type Catalogue, type CliFacts, isCodecUse, usesOf } from '../../catalogue/catalogue.ts';
import type { ArgvOption } from './argv-option.ts';
import { ALIAS_NAMES, type OptionName } from './option-name.ts';
import { avOptionSide, cliOptionSide, type OptionSide } from './option-side.ts';
import { checkOptionText } from './option-text.ts';
import { resolveAvValue, resolveCliValues } from './option-values.ts';
import { isMisnamed, type ParsedOption, type ParsedOptions } from './parse-request.ts';
import { isMetadataSpecifier, isStreamSpecifier, METADATA_SPECIFIERS, STREAM_SPECIFIERS } from './specifiers.ts';

export interface OptionContext {
  readonly catalogue: Catalogue;
  /** The selected muxer. Undefined if the request does not contain a valid one. */
  readonly muxer: string | undefined;
  readonly errors: FieldError[];
}

/**
 * Looks up each option in the catalogue and checks it against the allowlist. The result keeps the client's order. It
 * does not contain flags that are switched off (`"an": "false"`), the options in `skipped`, and options with errors.
 * The errors are added to `context.errors`.
 */
export function resolveOptions(
  parsed: ParsedOptions,
  skipped: ReadonlySet<string>,
  context: OptionContext,
): ArgvOption[] {
  const options: ArgvOption[] = [];
  const sentNames = new Map<string, string>();
  for (const option of parsed) {
    const result = isMisnamed(option)
      ? option.error
      : (duplicateOf(option, sentNames) ?? resolve(option, skipped, context));
    if (result === undefined) continue;
    if ('code' in result) context.errors.push({ field: option.field, ...result });
    else options.push(result);
  }
  return options;
}

type OptionError = Omit<FieldError, 'field'>;

function duplicateOf({ key, sentName }: ParsedOption, sentNames: Map<string, string>): OptionError | undefined {
  const other = sentNames.get(key);
  if (other === undefined) {
    sentNames.set(key, sentName);
    return undefined;
  }
  return {
    code: 'DUPLICATE_OPTION',
    message: `"${other}" and "${sentName}" are two names of the same option.`,
    fix: `Send only "${key}".`,
  };
}

function resolve(
  option: ParsedOption,
  skipped: ReadonlySet<string>,
  context: OptionContext,
): ArgvOption | OptionError | undefined {
  if (skipped.has(option.key)) return undefined;
  const error = checkOptionText(option.value) ?? checkRejected(option.name);
  if (error !== undefined) return error;
  const { name } = option.name;
  const { catalogue } = context;
  const rule = CLI_RULES.get(name);
  // The facts about an option without a rule do not matter: whether they are known depends on other requests.
  if (rule === undefined) return catalogue.cli.has(name) ? notAllowed(name) : resolveAvOption(option, context);
  const facts = catalogue.cli.get(name);
  if (facts === null) throw new Error(`The catalogue lacks the option -${name}.`);
  if (facts === undefined || facts.place === 'nowhere') return resolveAvOption(option, context);
  return resolveCliOption(option, facts, rule, catalogue);
}

const notAllowed = (name: string): OptionError => ({
  code: 'OPTION_NOT_ALLOWED',
  message: `"${name}" is not allowed by this service.`,
  fix: 'Leave it out.',
});

/** Returns the error for an option that is rejected in every build. */
function checkRejected({ name, specifier }: OptionName): OptionError | undefined {
  if (name === 'format' && specifier === undefined) return CONTAINER_IS_A_FIELD;
  const reason = rejectionReasonOf(name);
  if (reason === undefined) return undefined;
  return {
    code: 'OPTION_NOT_ALLOWED',
    message: `"${name}" is not allowed: it ${reason.why}.`,
    fix: reason.fix ?? 'Leave it out.',
  };
}

/** For ffmpeg, `format` is an option of a few encoders. Clients that send it nearly always mean the container. */
const CONTAINER_IS_A_FIELD: OptionError = {
  code: 'OPTION_NOT_ALLOWED',
  message: 'The container is the field "format" of the request, not an option in "parameters".',
  fix: 'Send "format" beside "parameters". For the option of the EXR, HAP or JPEG 2000 encoder, send "format:v".',
};

function resolveCliOption(
  option: ParsedOption,
  facts: CliFacts,
  rule: CliRule,
  catalogue: Catalogue,
): ArgvOption | OptionError | undefined {
  const specifierError = checkSpecifier(option.name, rule.specifier);
  if (specifierError !== undefined) return specifierError;
  const result = resolveCliValues(option.name, option.value, facts, rule, catalogue);
  if ('code' in result) return result;
  if (result.values === undefined || facts.place === 'nowhere') return undefined;
  return toArgv(option, cliOptionSide(facts.place), result.values, false);
}

function resolveAvOption(option: ParsedOption, { catalogue, muxer }: OptionContext): ArgvOption | OptionError {
  const { name } = option;
  const uses = usesOf(catalogue, name.name);
  if (uses.length === 0) return unusableOption(option, catalogue);
  const specifierError = checkSpecifier(name, uses.some(isCodecUse) ? 'stream' : undefined);
  if (specifierError !== undefined) return specifierError;
  const result = resolveAvValue(name, option.value, uses);
  if ('code' in result) return result;
  const containerOnly = uses.every((use) => !use.encoding || (use.owner === 'private' && use.media === ''));
  return toArgv(option, avOptionSide(name.name, uses, catalogue, muxer), [result.value], containerOnly);
}

function toArgv(
  { name, key, field, graphs, bitstreamFilters }: ParsedOption,
  side: OptionSide,
  values: readonly string[],
  containerOnly: boolean,
): ArgvOption {
  const option = { name, key, field, side, values, containerOnly };
  if (graphs !== undefined) return { ...option, graphs };
  return bitstreamFilters === undefined ? option : { ...option, bitstreamFilters };
}

/**
 * Returns the error for an option that no part of ffmpeg accepts, or that only a part accepts that conversions cannot
 * use.
 */
function unusableOption({ name, key }: ParsedOption, catalogue: Catalogue): OptionError {
  const currentName = withoutMediaPrefix(name, catalogue);
  if (currentName !== undefined)
    return { code: 'UNKNOWN_OPTION', message: `"${key}" is an old spelling.`, fix: `Send "${currentName}".` };
  if (catalogue.avOptions.has(name.name))
    return {
      code: 'OPTION_NOT_ALLOWED',
      message: `"${key}" is not allowed: it controls how ffmpeg opens files and URLs, and the service does that itself.`,
      fix: 'Leave it out.',
    };
  return unknownOption(key, name, catalogue);
}

/**
 * Returns the current spelling of a codec option with a prefix for the kind of stream, which ffmpeg still accepts:
 * `maxrate:v` for `vmaxrate`.
 */
function withoutMediaPrefix({ name }: OptionName, catalogue: Catalogue): string | undefined {
  const letter = name.charAt(0);
  const rest = name.slice(1);
  return 'vas'.includes(letter) && usesOf(catalogue, rest).some(isCodecUse) ? `${rest}:${letter}` : undefined;
}

function unknownOption(key: string, name: OptionName, catalogue: Catalogue): OptionError {
  const closest = closestMatch(name.name, suggestions(catalogue));
  const suggestion = closest === undefined || name.specifier === undefined ? closest : `${closest}:${name.specifier}`;
  return {
    code: 'UNKNOWN_OPTION',
    message: `The installed ffmpeg has no option "${key}".`,
    fix:
      suggestion === undefined
        ? "Send the name of an option from ffmpeg's documentation, without the leading dash."
        : `Send "${suggestion}".`,
  };
}

function* suggestions(catalogue: Catalogue): Generator<string> {
  // `catalogue.cli` also has the names without help that earlier requests asked for.
  for (const name of CLI_RULES.keys()) if (catalogue.cliHelp.has(name)) yield name;
  for (const name of catalogue.avOptions.keys())
    if (rejectionReasonOf(name) === undefined && usesOf(catalogue, name).length > 0) yield name;
  yield* ALIAS_NAMES;
}

/** `allowed` is the kind of specifier that the option takes, or undefined if it takes none. */
function checkSpecifier(
  { name, specifier }: OptionName,
  allowed: 'stream' | 'metadata' | undefined,
): OptionError | undefined {
  if (specifier === undefined) return undefined;
  if (allowed === undefined)
    return { code: 'BAD_SPECIFIER', message: `"${name}" takes no stream specifier.`, fix: `Send "${name}".` };
  if (allowed === 'stream' ? isStreamSpecifier(specifier) : isMetadataSpecifier(specifier)) return undefined;
  return {
    code: 'BAD_SPECIFIER',
    message: `"${specifier}" is not a ${allowed} specifier.`,
    allowed: allowed === 'stream' ? STREAM_SPECIFIERS : METADATA_SPECIFIERS,
  };
}
