import { closestMatch } from '../../../domain/closest-match.ts';
import { type OptionValue, type Parameters, REQUEST_LIMITS } from '../../../domain/conversion.ts';
import { type FieldError, pointerToken } from '../../../domain/problem.ts';
import { CLI_RULES } from '../../allowlist/cli-rules.ts';
import { rejectionReasonOf } from '../../allowlist/rejection-reasons.ts';
import { type Catalogue, isCodecUse, usesOf } from '../../catalogue/catalogue.ts';
import { ALIAS_NAMES, isNameError, type OptionName, parseOptionName, printOptionName } from './option-name.ts';
import { avOptionSide, cliOptionSide, type OptionSide } from './option-side.ts';
import { checkOptionText } from './option-text.ts';
import { resolveAvValue } from './parse-av-option.ts';
import { resolveCliValues } from './parse-cli-option.ts';
import { isMetadataSpecifier, isStreamSpecifier, METADATA_SPECIFIERS, STREAM_SPECIFIERS } from './specifiers.ts';

/** One option of a request, understood: where it belongs and what it adds to the argv. */
export interface ArgvOption {
  readonly name: OptionName;
  /** Canonical, as in the argv without its dash: `c:v`, `filter:a`. */
  readonly key: string;
  readonly field: string;
  readonly side: OptionSide;
  /** Empty: an option without argument. More than one: the option is repeated. */
  readonly values: readonly string[];
  /** Only containers take it, so a pass that writes none has no use for it. */
  readonly containerOnly: boolean;
}

/** An option that the service adds. `key`: canonical. */
export function serviceOption(key: string, values: readonly string[], containerOnly = false): ArgvOption {
  const [name = key, ...specifier] = key.split(':');
  return {
    name: specifier.length === 0 ? { name } : { name, specifier: specifier.join(':') },
    key,
    field: '/parameters',
    side: 'output',
    values,
    containerOnly,
  };
}

export interface OptionContext {
  readonly catalogue: Catalogue;
  /** The chosen muxer; undefined while it is not known. */
  readonly muxer: string | undefined;
  readonly errors: FieldError[];
}

/**
 * Reads an object of ffmpeg options, in the caller's order. Options that are left out (`"an": "false"`) are not
 * in the result, nor is what the planner handles itself (`handled`). What is wrong is added to `errors`.
 */
export function resolveOptions(
  parameters: Parameters | undefined,
  at: string,
  handled: ReadonlySet<string>,
  context: OptionContext,
): ArgvOption[] {
  const options: ArgvOption[] = [];
  if (parameters === undefined) return options;
  const seen = new Map<string, string>();
  for (const given of Object.keys(parameters)) {
    const value = parameters[given];
    if (value === undefined) continue;
    const field = `${at}/${pointerToken(given)}`;
    const fail = (fault: Omit<FieldError, 'field'>): void => void context.errors.push({ field, ...fault });
    if (given.length > REQUEST_LIMITS.optionNameLength) {
      fail({
        code: 'TOO_LONG',
        message: `An option name is longer than ${REQUEST_LIMITS.optionNameLength} characters.`,
        fix: 'Send the name of an ffmpeg option.',
      });
      continue;
    }
    const name = parseOptionName(given);
    if (isNameError(name)) {
      fail(name);
      continue;
    }
    const key = printOptionName(name);
    const before = seen.get(key);
    if (before !== undefined) {
      fail({
        code: 'DUPLICATE_OPTION',
        message: `"${before}" and "${given}" are two names of one option.`,
        fix: `Send only "${key}".`,
      });
      continue;
    }
    seen.set(key, given);
    if (handled.has(key)) continue;
    const faults = checkOptionText(value);
    if (faults !== undefined) {
      fail(faults);
      continue;
    }
    const read = readOne(name, key, value, context);
    if ('code' in read) fail(read);
    else if (read.kept) options.push({ name, key, field, ...read.kept });
  }
  return options;
}

type Kept = Pick<ArgvOption, 'side' | 'values' | 'containerOnly'>;
type ReadResult = { readonly kept: Kept | undefined } | Omit<FieldError, 'field'>;

function readOne(name: OptionName, key: string, value: OptionValue, context: OptionContext): ReadResult {
  const { catalogue } = context;
  if (name.name === 'format' && name.specifier === undefined) return THE_FIELD_FORMAT;
  const refusal = rejectionReasonOf(name.name);
  if (refusal !== undefined)
    return {
      code: 'OPTION_NOT_ALLOWED',
      message: `"${name.name}" ${refusal.why}, so it cannot be sent.`,
      fix: refusal.fix ?? 'Leave it out.',
    };
  const rule = CLI_RULES.get(name.name);
  const facts = catalogue.cli.get(name.name);
  if (rule !== undefined && facts === null) throw new Error(`The program was not asked about -${name.name}.`);
  if (rule !== undefined && facts !== undefined && facts !== null && facts.place !== 'nowhere') {
    const specifierFault = checkSpecifier(name, rule.specifier);
    if (specifierFault !== undefined) return specifierFault;
    const values = resolveCliValues(name, value, facts, rule, catalogue);
    if ('code' in values) return values;
    if (values.values === undefined) return { kept: undefined };
    return { kept: { side: cliOptionSide(facts.place), values: values.values, containerOnly: false } };
  }
  if (facts !== undefined && facts?.place !== 'nowhere')
    return {
      code: 'OPTION_NOT_ALLOWED',
      message: `"${name.name}" is not offered by this service.`,
      fix: 'Leave it out.',
    };
  const prefixed = prefixedCodecOption(name, catalogue);
  const uses = usesOf(catalogue, name.name);
  if (uses.length === 0) {
    if (prefixed !== undefined)
      return { code: 'UNKNOWN_OPTION', message: `"${key}" is an old spelling.`, fix: `Send "${prefixed}".` };
    return catalogue.avOptions.has(name.name) ? opensFiles(key) : unknownOption(key, name, catalogue);
  }
  const specifierFault = checkSpecifier(name, uses.some(isCodecUse) ? 'stream' : undefined);
  if (specifierFault !== undefined) return specifierFault;
  const av = resolveAvValue(name, value, uses);
  if ('code' in av) return av;
  return {
    kept: {
      side: avOptionSide(name.name, uses, catalogue, context.muxer),
      values: [av.value],
      containerOnly: uses.every((use) => !use.encoding || (use.owner === 'private' && use.media === '')),
    },
  };
}

/** To ffmpeg an option of a few encoders; to whoever sends it nearly always the container, on which it has no effect. */
const THE_FIELD_FORMAT: Omit<FieldError, 'field'> = {
  code: 'OPTION_NOT_ALLOWED',
  message: 'The container is the field "format" of the request, beside "parameters", not an option in it.',
  fix: 'Send "format" beside "parameters". Where the option of the EXR, HAP or JPEG 2000 encoder is meant, send "format:v".',
};

/** ffmpeg also finds codec options behind a letter of the stream kind: `vmaxrate` is `maxrate:v`. */
function prefixedCodecOption(name: OptionName, catalogue: Catalogue): string | undefined {
  const letter = name.name.charAt(0);
  const rest = name.name.slice(1);
  return 'vas'.includes(letter) && usesOf(catalogue, rest).some(isCodecUse) ? `${rest}:${letter}` : undefined;
}

const opensFiles = (key: string): Omit<FieldError, 'field'> => ({
  code: 'OPTION_NOT_ALLOWED',
  message: `"${key}" tells ffmpeg how to open files and addresses, which this service does itself, so it cannot be sent.`,
  fix: 'Leave it out.',
});

function unknownOption(key: string, name: OptionName, catalogue: Catalogue): Omit<FieldError, 'field'> {
  const near = closestMatch(name.name, candidates(catalogue));
  const shown = near === undefined || name.specifier === undefined ? near : `${near}:${name.specifier}`;
  return {
    code: 'UNKNOWN_OPTION',
    message: `The installed ffmpeg has no option "${key}".`,
    fix:
      shown === undefined
        ? 'Send the name of an ffmpeg option as it stands in its documentation, without the leading dash.'
        : `Send "${shown}".`,
  };
}

function* candidates(catalogue: Catalogue): Generator<string> {
  for (const name of CLI_RULES.keys()) if (catalogue.cli.has(name)) yield name;
  for (const name of catalogue.avOptions.keys())
    if (rejectionReasonOf(name) === undefined && usesOf(catalogue, name).length > 0) yield name;
  yield* ALIAS_NAMES;
}

function checkSpecifier(
  { name, specifier }: OptionName,
  takes: 'stream' | 'metadata' | undefined,
): Omit<FieldError, 'field'> | undefined {
  if (specifier === undefined) return undefined;
  if (takes === undefined)
    return { code: 'BAD_SPECIFIER', message: `"${name}" takes no stream specifier.`, fix: `Send "${name}".` };
  if (takes === 'stream' ? isStreamSpecifier(specifier) : isMetadataSpecifier(specifier)) return undefined;
  return {
    code: 'BAD_SPECIFIER',
    message: `"${specifier}" does not name streams${takes === 'metadata' ? ', a chapter or a program' : ''}.`,
    allowed: takes === 'stream' ? STREAM_SPECIFIERS : METADATA_SPECIFIERS,
  };
}
