import { badEncoding, controlCharacter } from '../../../domain/text-validation.ts';

/** An option's name as ffmpeg reads it, aliases resolved. */
export interface OptionName {
  /** Without specifier: `c`, `filter`, `crf`. */
  readonly name: string;
  /** What follows the first colon. */
  readonly specifier?: string;
}

/** Why a key can be no option's name. */
export interface NameError {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

/**
 * Other names of one option. With a specifier, the alias stands for that stream kind and takes none itself;
 * ffmpeg drops what is written behind it.
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

/** For suggestions: a slip may be nearest to an alias. */
export const ALIAS_NAMES: readonly string[] = [...ALIASES.keys()];

/** What ffmpeg reads into the bare name of an option that has always meant the video ("… is ambiguous, please use -b:v"). */
const BARE: ReadonlyMap<string, OptionName> = new Map<string, OptionName>([
  ['qscale', { name: 'q', specifier: 'v' }],
  ['b', { name: 'b', specifier: 'v' }],
  ['profile', { name: 'profile', specifier: 'v' }],
]);

const NAME_IT = 'Name an option of ffmpeg, such as "c:v".';

/** Names of ffmpeg are letters, digits, `_` and `-`; specifiers hold tags, so nearly anything. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

export const isNameError = (read: OptionName | NameError): read is NameError => 'message' in read;

/** Reads a key of `parameters`. Whether ffmpeg has such an option is looked up elsewhere. */
export function parseOptionName(key: string): OptionName | NameError {
  const fault = faultOf(key);
  if (fault !== undefined) return fault;
  const colon = key.indexOf(':');
  if (colon < 0) return BARE.get(key) ?? ALIASES.get(key) ?? { name: key };
  const given = key.slice(0, colon);
  const specifier = key.slice(colon + 1);
  const alias = ALIASES.get(given);
  if (alias?.specifier === undefined) return { name: alias?.name ?? given, specifier };
  return {
    code: 'BAD_SPECIFIER',
    message: `"${given}" already says which streams it is for, so it takes no specifier.`,
    fix: `Send "${alias.name}:${specifier.startsWith(alias.specifier) ? '' : `${alias.specifier}:`}${specifier}".`,
  };
}

function faultOf(key: string): NameError | undefined {
  if (key === '') return { code: 'BAD_OPTION_NAME', message: 'An option has an empty name.', fix: NAME_IT };
  if (!key.isWellFormed()) return badEncoding('The option name');
  if (CONTROL.test(key)) return controlCharacter('The option name');
  const bare = key.replace(/^-+/, '');
  if (bare !== key)
    return {
      code: 'BAD_OPTION_NAME',
      message: 'Options are named without the leading dash.',
      fix: bare === '' ? NAME_IT : `Send "${bare}".`,
    };
  if (key.endsWith(':'))
    return {
      code: 'BAD_SPECIFIER',
      message: `Nothing follows the colon of "${key}".`,
      fix: `Send "${key.slice(0, -1)}", or name the streams after the colon.`,
    };
  const colon = key.indexOf(':');
  if (!NAME.test(colon < 0 ? key : key.slice(0, colon)))
    return {
      code: 'BAD_OPTION_NAME',
      message: 'The names of options hold letters, digits, "_" and "-", and after a colon the streams they are for.',
      fix: NAME_IT,
    };
  return undefined;
}

/** The name in an argv, without the dash. */
export const printOptionName = ({ name, specifier }: OptionName): string =>
  specifier === undefined ? name : `${name}:${specifier}`;
