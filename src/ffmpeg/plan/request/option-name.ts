import { orElse, rename } from '../../../domain/edit.ts';
import type { Hint } from '../../../domain/hint.ts';
import { badEncoding, controlCharacter } from '../../../domain/text-validation.ts';

/** The name of an option as ffmpeg reads it, with aliases resolved. */
export interface OptionName {
  /** The name without specifier: `c`, `filter`, `crf`. */
  readonly name: string;
  /** The stream specifier: the text after the first colon. */
  readonly specifier?: string;
}

/** Why a key of `parameters` cannot be the name of an option. */
export interface NameError {
  readonly code: string;
  readonly message: string;
  readonly fix?: Hint;
}

/**
 * Aliases of options. An alias with a specifier is for one kind of stream and takes no further specifier: ffmpeg
 * ignores the text after such an alias.
 */
const ALIASES: ReadonlyMap<string, OptionName> = new Map<string, OptionName>([
  ['codec', { name: 'c' }],
  ['vcodec', { name: 'c', specifier: 'v' }],
  ['acodec', { name: 'c', specifier: 'a' }],
  ['scodec', { name: 'c', specifier: 's' }],
  ['dcodec', { name: 'c', specifier: 'd' }],
  ['vf', { name: 'filter', specifier: 'v' }],
  ['af', { name: 'filter', specifier: 'a' }],
  ['lavfi', { name: 'filter_complex' }],
  ['vframes', { name: 'frames', specifier: 'v' }],
  ['aframes', { name: 'frames', specifier: 'a' }],
  ['dframes', { name: 'frames', specifier: 'd' }],
  ['vtag', { name: 'tag', specifier: 'v' }],
  ['atag', { name: 'tag', specifier: 'a' }],
  ['stag', { name: 'tag', specifier: 's' }],
  ['vbsf', { name: 'bsf', specifier: 'v' }],
  ['absf', { name: 'bsf', specifier: 'a' }],
  ['vb', { name: 'b', specifier: 'v' }],
  ['ab', { name: 'b', specifier: 'a' }],
  ['aq', { name: 'q', specifier: 'a' }],
  ['qscale', { name: 'q' }],
  ['channel_layout', { name: 'ch_layout' }],
]);

/** The names of aliases, for suggestions: a misspelt name may be closest to an alias. */
export const ALIAS_NAMES: readonly string[] = [...ALIASES.keys()];

/** The aliases of the option with this canonical name (without specifier), for searches. */
export const aliasesOf = (canonical: string): readonly string[] =>
  [...ALIASES].flatMap(([alias, { name }]) => (name === canonical ? [alias] : []));

/**
 * The meaning of a name without specifier, for options that were for video only in the past. ffmpeg warns "… is
 * ambiguous, please use -b:v".
 */
const BARE: ReadonlyMap<string, OptionName> = new Map<string, OptionName>([
  ['qscale', { name: 'q', specifier: 'v' }],
  ['b', { name: 'b', specifier: 'v' }],
  ['profile', { name: 'profile', specifier: 'v' }],
]);

const SEND_A_NAME = 'Send the name of an ffmpeg option, such as "c:v".';

/** ffmpeg's names consist of letters, digits, `_` and `-`. Specifiers may contain tags, so nearly any text. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

export const isNameError = (result: OptionName | NameError): result is NameError => 'message' in result;

/** Parses a key of `parameters`. Does not check whether ffmpeg has such an option. */
export function parseOptionName(key: string): OptionName | NameError {
  const error = checkName(key);
  if (error !== undefined) return error;
  const colon = key.indexOf(':');
  if (colon < 0) return BARE.get(key) ?? ALIASES.get(key) ?? { name: key };
  const base = key.slice(0, colon);
  const specifier = key.slice(colon + 1);
  const alias = ALIASES.get(base);
  if (alias?.specifier === undefined) return { name: alias?.name ?? base, specifier };
  return {
    code: 'BAD_SPECIFIER',
    message: `"${key}" is wrong: "${base}" is always for "${alias.specifier}" streams and takes no stream specifier.`,
    fix: rename(`${alias.name}:${specifier.startsWith(alias.specifier) ? '' : `${alias.specifier}:`}${specifier}`),
  };
}

function checkName(key: string): NameError | undefined {
  if (key === '') return { code: 'BAD_OPTION_NAME', message: 'The option name is empty.', fix: SEND_A_NAME };
  if (!key.isWellFormed()) return badEncoding('The option name');
  if (CONTROL.test(key)) return controlCharacter('The option name');
  const bare = key.replace(/^-+/, '');
  if (bare !== key)
    return {
      code: 'BAD_OPTION_NAME',
      message: `The option name "${key}" has a leading dash.`,
      fix: bare === '' ? SEND_A_NAME : rename(bare),
    };
  if (key.endsWith(':'))
    return {
      code: 'BAD_SPECIFIER',
      message: `"${key}" ends with a colon, but has no stream specifier after it.`,
      fix: orElse(rename(key.slice(0, -1)), 'a stream specifier after the colon'),
    };
  const colon = key.indexOf(':');
  if (!NAME.test(colon < 0 ? key : key.slice(0, colon)))
    return {
      code: 'BAD_OPTION_NAME',
      message:
        'An option name has only letters, digits, "_" and "-", and optionally a colon and a stream specifier after them.',
      fix: SEND_A_NAME,
    };
  return undefined;
}

/** Returns the name in the argv, without the dash. */
export const printOptionName = ({ name, specifier }: OptionName): string =>
  specifier === undefined ? name : `${name}:${specifier}`;
