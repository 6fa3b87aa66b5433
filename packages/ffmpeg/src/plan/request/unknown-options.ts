import { namesOfWord } from '@telecine/contract/domain/aliases.ts';
import { CLI_RULES } from '../../allowlist/allowed-cli-options.ts';
import { rejectionReasonOf } from '../../allowlist/rejected-options.ts';
import { type Catalogue, isCodecUse, usesOf } from '../../catalogue/catalogue.ts';
import type { ValueError } from '../../values/value-error.ts';
import { ALIAS_NAMES, type OptionName } from './option-name.ts';
import type { ParsedOption } from './parse-request.ts';
import { isMetadataSpecifier, isStreamSpecifier, METADATA_SPECIFIERS, STREAM_SPECIFIERS } from './specifiers.ts';

/** The error for an option that is rejected with every build. */
export function checkRejected({ name, specifier }: OptionName): ValueError | undefined {
  if (name === 'format' && specifier === undefined) return CONTAINER_IS_A_FIELD;
  const reason = rejectionReasonOf(name);
  return (
    reason && { code: reason.code ?? 'OPTION_NOT_ALLOWED', message: `"${name}" is not allowed: it ${reason.why}.` }
  );
}

/** In ffmpeg, `format` is an option of a few encoders. Clients that send it nearly always mean the container. */
const CONTAINER_IS_A_FIELD: ValueError = {
  code: 'OPTION_NOT_ALLOWED',
  message:
    'The container is the field "format" beside "parameters". The option of the EXR, HAP and JPEG 2000 encoders is "format:v".',
};

/** Checks the specifier of an option. `allowed`: undefined if the option takes no specifier. */
export function checkSpecifier(
  { name, specifier }: OptionName,
  allowed: 'stream' | 'metadata' | undefined,
): ValueError | undefined {
  if (specifier === undefined) return undefined;
  const key = `${name}:${specifier}`;
  if (allowed === undefined)
    return {
      code: 'BAD_SPECIFIER',
      message: `"${key}" is wrong: "${name}" takes no stream specifier.`,
      nearest: { given: key, names: [name], is: 'name' },
    };
  if (allowed === 'stream' ? isStreamSpecifier(specifier) : isMetadataSpecifier(specifier)) return undefined;
  const ofTag = allowed === 'stream' ? '' : ' A tag is in the value: "title=My video".';
  return {
    code: 'BAD_SPECIFIER',
    message: `"${key}" is wrong: "${specifier}" is not a ${allowed} specifier.${ofTag}`,
    allowed: allowed === 'stream' ? STREAM_SPECIFIERS : METADATA_SPECIFIERS,
  };
}

/** The error for an option that no component of ffmpeg has, or only components that conversions cannot use. */
export function unusableOption({ name, key }: ParsedOption, catalogue: Catalogue): ValueError {
  const currentName = withoutMediaPrefix(name, catalogue);
  if (currentName !== undefined)
    return {
      code: 'UNKNOWN_OPTION',
      message: `"${key}" is an old spelling of "${currentName}".`,
      nearest: { given: key, names: [currentName], is: 'name' },
    };
  if (catalogue.avOptions.has(name.name) && !isWordForOption(name))
    return {
      code: 'OPTION_NOT_ALLOWED',
      message: `"${key}" is not allowed: it controls how ffmpeg opens files and URLs, and the service does that itself.`,
    };
  const release = NEWER_OPTIONS.get(name.name);
  const filter = FILTER_OPTIONS[catalogue.lists.filters.get(name.name)?.inputs ?? ''];
  const why =
    release !== undefined
      ? `: it exists from ffmpeg ${release} on`
      : filter !== undefined
        ? `: it is a filter, which "${filter}" takes`
        : '';
  return unknownOption(`The installed ffmpeg has no option "${key}"${why}.`, name, catalogue);
}

/** By the inputs of a filter: the option that takes it. */
const FILTER_OPTIONS: Readonly<Record<string, string>> = { V: 'vf', A: 'af' };

/** The error for an option that a component of ffmpeg has, but no part of this conversion. */
export const unusedOption = ({ name, key }: ParsedOption, catalogue: Catalogue): ValueError =>
  unknownOption(`No part of this conversion has an option "${key}".`, name, catalogue);

/** True if the name of an option is also a common word for an option of the ffmpeg program: `width` for `s`. */
export const isWordForOption = ({ name }: OptionName): boolean =>
  namesOfWord(name).some((one) => CLI_RULES.has(one.replace(/:.*/, '')));

/** The current spelling of a codec option whose first letter is a kind of stream: `maxrate:v` for `vmaxrate`. */
function withoutMediaPrefix({ name }: OptionName, catalogue: Catalogue): string | undefined {
  const letter = name.charAt(0);
  const rest = name.slice(1);
  return 'vas'.includes(letter) && usesOf(catalogue, rest).some(isCodecUse) ? `${rest}:${letter}` : undefined;
}

function unknownOption(message: string, { name, specifier }: OptionName, catalogue: Catalogue): ValueError {
  const known = optionNames(catalogue);
  const all = known.includes(name) ? known.filter((one) => one !== name) : known;
  const names = name.length < MIN_LENGTH ? namesOfWord(name).filter((one) => all.includes(one)) : all;
  return {
    code: 'UNKNOWN_OPTION',
    message,
    nearest:
      specifier === undefined
        ? { given: name, names, is: 'name' }
        : { given: `${name}:${specifier}`, names: names.map((one) => `${one}:${specifier}`), is: 'name' },
  };
}

/** The minimum length of an unknown name for a suggestion of a similar name: nearly every short name is similar to another. */
const MIN_LENGTH = 4;

/** The names of options, by the options of a catalogue. Cached, because listing them would take longer than all other checks. */
const listed = new WeakMap<Catalogue['avOptions'], readonly string[]>();

function optionNames(catalogue: Catalogue): readonly string[] {
  const names = listed.get(catalogue.avOptions) ?? [...listOptions(catalogue)];
  listed.set(catalogue.avOptions, names);
  return names;
}

function* listOptions(catalogue: Catalogue): Generator<string> {
  // Names without help are left out: earlier requests added them to `catalogue.cli`.
  for (const name of CLI_RULES.keys()) if (catalogue.cliHelp.has(name)) yield name;
  for (const name of catalogue.avOptions.keys())
    if (rejectionReasonOf(name) === undefined && usesOf(catalogue, name).length > 0) yield name;
  yield* ALIAS_NAMES;
  yield* WITH_SPECIFIERS;
}

/** The usual specifiers of options that mean little without one. */
const WITH_SPECIFIERS = ['c:v', 'c:a', 'c:s', 'b:v', 'b:a', 'q:v', 'q:a', 'profile:v', 'frames:v', 'tag:v'];

/** The allowed options that ffmpeg 5.1 lacks, and the first release that has them. */
const NEWER_OPTIONS: ReadonlyMap<string, string> = new Map(
  ['display_rotation', 'display_hflip', 'display_vflip', 'shortest_buf_duration'].map((name) => [name, '6.0']),
);
