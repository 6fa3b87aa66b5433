import { badEncoding, controlCharacter } from '@telecine/contract/domain/text-validation.ts';
import type { ValueError } from '../../values/value-error.ts';

/** The name of an option as ffmpeg reads it, without aliases: `c` and `v` for `vcodec`. */
export interface OptionName {
  /** Without specifier: `c`, `filter`, `crf`. */
  readonly name: string;
  /** The stream specifier: the text after the first colon. */
  readonly specifier?: string;
}

/** Aliases of options. An alias that implies a specifier (`vcodec` is `c:v`) takes no specifier: ffmpeg ignores one after it. */
const ALIASES = namesByAlias(
  'codec=c vcodec=c:v acodec=c:a scodec=c:s dcodec=c:d vf=filter:v af=filter:a lavfi=filter_complex vframes=frames:v ' +
    'aframes=frames:a dframes=frames:d vtag=tag:v atag=tag:a stag=tag:s vbsf=bsf:v absf=bsf:a vb=b:v ab=b:a aq=q:a ' +
    'qscale=q channel_layout=ch_layout',
);

function namesByAlias(rows: string): ReadonlyMap<string, OptionName> {
  return new Map(
    rows.split(' ').map((row): [string, OptionName] => {
      const [alias = '', name = '', specifier] = row.split(/[=:]/);
      return [alias, specifier === undefined ? { name } : { name, specifier }];
    }),
  );
}

/** The aliases, for suggestions: a misspelt name may be closest to an alias. */
export const ALIAS_NAMES: readonly string[] = [...ALIASES.keys()];

/** The aliases of an option, for searches. `canonical`: its name without specifier. */
export const aliasesOf = (canonical: string): readonly string[] =>
  [...ALIASES].flatMap(([alias, { name }]) => (name === canonical ? [alias] : []));

/** Options that meant video if they had no specifier. ffmpeg now warns that they are ambiguous. */
const BARE = namesByAlias('qscale=q:v b=b:v profile=profile:v');

/** ffmpeg's option names have letters, digits, `_` and `-`. A specifier may contain a tag, and so nearly any text. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

export const isNameError = (result: OptionName | ValueError): result is ValueError => 'message' in result;

/** Parses a key of `parameters`. Does not check whether ffmpeg has such an option. */
export function parseOptionName(key: string): OptionName | ValueError {
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
  };
}

function checkName(key: string): ValueError | undefined {
  if (key === '') return { code: 'BAD_OPTION_NAME', message: 'The option name is empty.' };
  if (!key.isWellFormed()) return badEncoding('The option name');
  if (CONTROL.test(key)) return controlCharacter('The option name');
  const bare = key.replace(/^-+/, '');
  if (bare !== key)
    return {
      code: 'BAD_OPTION_NAME',
      message: `The option name "${key}" has a leading dash.`,
      ...(bare !== '' && { nearest: { given: key, names: [bare], is: 'name' as const } }),
    };
  if (key.endsWith(':'))
    return {
      code: 'BAD_SPECIFIER',
      message: `"${key}" ends with a colon, but has no stream specifier after it.`,
      nearest: { given: key, names: [key.slice(0, -1)], is: 'name' },
    };
  const colon = key.indexOf(':');
  if (!NAME.test(colon < 0 ? key : key.slice(0, colon)))
    return {
      code: 'BAD_OPTION_NAME',
      message:
        'An option name has only letters, digits, "_" and "-", and optionally a colon and a stream specifier after them.',
    };
  return undefined;
}

/** The name of an option in the argv, without the dash. */
export const printOptionName = ({ name, specifier }: OptionName): string =>
  specifier === undefined ? name : `${name}:${specifier}`;
