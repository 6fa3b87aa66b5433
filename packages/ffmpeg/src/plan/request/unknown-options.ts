import { namesOfWord, nearestName } from '@telecine/contract/domain/aliases.ts';
import { type Edits, leaveOut, orElse, rename, sendIn } from '@telecine/contract/domain/edit.ts';
import { type Hint, hint } from '@telecine/contract/domain/hint.ts';
import { CLI_RULES } from '../../allowlist/allowed-cli-options.ts';
import { rejectionReasonOf } from '../../allowlist/rejected-options.ts';
import { type Catalogue, isCodecUse, usesOf } from '../../catalogue/catalogue.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { ValueError } from '../../values/value-error.ts';
import { ALIAS_NAMES, type OptionName } from './option-name.ts';
import { checkSuggestion } from './option-values.ts';
import { isMisnamed, type ParsedOption, parseOption } from './parse-request.ts';
import {
  isMetadataSpecifier,
  isStreamSpecifier,
  METADATA_SPECIFIERS,
  meantSpecifier,
  STREAM_SPECIFIERS,
} from './specifiers.ts';

/** The error for an option that is rejected with every build. */
export function checkRejected({ name, specifier }: OptionName): ValueError | undefined {
  if (name === 'format' && specifier === undefined) return CONTAINER_IS_A_FIELD;
  const reason = rejectionReasonOf(name);
  if (reason === undefined) return undefined;
  return {
    code: reason.code ?? 'OPTION_NOT_ALLOWED',
    message: `"${name}" is not allowed: it ${reason.why}.`,
    fix: reason.fix ?? leaveOut(),
  };
}

/** In ffmpeg, `format` is an option of a few encoders. Clients that send it nearly always mean the container. */
const CONTAINER_IS_A_FIELD: ValueError = {
  code: 'OPTION_NOT_ALLOWED',
  message: 'The container is the field "format" of the request, not an option in "parameters".',
  fix: 'Send "format" beside "parameters". For the option of the EXR, HAP or JPEG 2000 encoder, send "format:v".',
};

/** Checks the specifier of an option. `allowed`: undefined if the option takes no specifier. */
export function checkSpecifier(
  { name, specifier }: OptionName,
  allowed: 'stream' | 'metadata' | undefined,
): ValueError | undefined {
  if (specifier === undefined) return undefined;
  if (allowed === undefined)
    return {
      code: 'BAD_SPECIFIER',
      message: `"${name}:${specifier}" is wrong: "${name}" takes no stream specifier.`,
      fix: rename(name),
    };
  if (allowed === 'stream' ? isStreamSpecifier(specifier) : isMetadataSpecifier(specifier)) return undefined;
  return {
    code: 'BAD_SPECIFIER',
    message: `"${name}:${specifier}" is wrong: "${specifier}" is not a ${allowed} specifier.`,
    allowed: allowed === 'stream' ? STREAM_SPECIFIERS : METADATA_SPECIFIERS,
    ...meantOption(name, specifier, allowed),
  };
}

/** The fix for a misspelt specifier. Streams of an output have no tags yet, so they cannot be selected by tag. */
function meantOption(name: string, specifier: string, allowed: 'stream' | 'metadata'): { readonly fix?: Hint } {
  const ofStream = allowed === 'stream' ? '' : 's:';
  if (!specifier.startsWith(ofStream)) return {};
  const meant = meantSpecifier(specifier.slice(ofStream.length));
  if (meant === undefined || meant === '') return {};
  const [kind, byTag] = meant.split(':m:');
  if (byTag === undefined && !meant.startsWith('m:')) return { fix: rename(`${name}:${ofStream}${meant}`) };
  return byTag === undefined
    ? {}
    : { fix: `Name the stream by its number in the output, such as "${name}:${ofStream}${kind}:0".` };
}

/** The error for an option that no component of ffmpeg has, or only components that conversions cannot use. */
export function unusableOption(option: ParsedOption, catalogue: Catalogue): ValueError {
  const { name, key } = option;
  const currentName = withoutMediaPrefix(name, catalogue);
  if (currentName !== undefined)
    return {
      code: 'UNKNOWN_OPTION',
      message: `"${key}" is an old spelling of "${currentName}".`,
      fix: rename(currentName),
    };
  if (catalogue.avOptions.has(name.name) && isWordForOption(name))
    return {
      code: 'UNKNOWN_OPTION',
      message: `No part of a conversion has an option "${key}".`,
      ...aliasFix(option, catalogue),
    };
  if (catalogue.avOptions.has(name.name))
    return {
      code: 'OPTION_NOT_ALLOWED',
      message: `"${key}" is not allowed: it controls how ffmpeg opens files and URLs, and the service does that itself.`,
      fix: leaveOut(),
    };
  return newerOption(name.name, key, option.value) ?? unknownOption(option, catalogue);
}

/** The error for an option that a component of ffmpeg has, but no part of this conversion. */
export const unusedOption = (option: ParsedOption, catalogue: Catalogue): ValueError => ({
  code: 'UNKNOWN_OPTION',
  message: `No part of this conversion has an option "${option.key}".`,
  ...aliasFix(option, catalogue),
});

/** True if the name of an option is also a common word for an option of the ffmpeg program: `width` for `s`. */
export const isWordForOption = ({ name }: OptionName): boolean =>
  namesOfWord(name).some((one) => CLI_RULES.has(one.replace(/:.*/, '')));

/** The fix that sends the ffmpeg option for a common word: `r` for "fps". Without `fix`: the word is unknown. */
function aliasFix({ name, value, field }: ParsedOption, catalogue: Catalogue): { readonly fix?: Hint } {
  const names = suggestionsOf(catalogue);
  const known = namesOfWord(name.name).find((one) => names.includes(one.replace(/:.*/, '')));
  if (known === undefined) return {};
  const isRight = isAccepted(known, value, field, catalogue);
  return { fix: isRight ? rename(known) : `Send "${known}", with a value that it allows.` };
}

/** True if an option accepts a value. */
function isAccepted(name: string, value: ParsedOption['value'], field: string, catalogue: Catalogue): boolean {
  const option = parseOption(name, value, field);
  return !isMisnamed(option) && checkSuggestion(option.name, value, catalogue) === undefined;
}

/** The current spelling of a codec option whose first letter is a kind of stream: `maxrate:v` for `vmaxrate`. */
function withoutMediaPrefix({ name }: OptionName, catalogue: Catalogue): string | undefined {
  const letter = name.charAt(0);
  const rest = name.slice(1);
  return 'vas'.includes(letter) && usesOf(catalogue, rest).some(isCodecUse) ? `${rest}:${letter}` : undefined;
}

/** The error for an unknown option. The closest name is only suggested if that option accepts the value. */
function unknownOption(option: ParsedOption, catalogue: Catalogue): ValueError {
  const { name, key, value, field } = option;
  const near = name.name.length < MIN_LENGTH ? undefined : nearestName(name.name, suggestionsOf(catalogue));
  const suggestion = near === undefined || name.specifier === undefined ? near : `${near}:${name.specifier}`;
  const { fix } = aliasFix(option, catalogue);
  return {
    code: 'UNKNOWN_OPTION',
    message: `The installed ffmpeg has no option "${key}".`,
    fix:
      fix ??
      filterFix(option, catalogue) ??
      (suggestion !== undefined && isAccepted(suggestion, value, field, catalogue)
        ? rename(suggestion)
        : hint`Send the name of an option from ffmpeg's documentation, without the leading dash. For a task such as a watermark, find a recipe: ${{ do: 'find-recipe' }}.`),
  };
}

/** The fix for a filter that was sent as an option. undefined: another name. */
function filterFix({ name: { name } }: ParsedOption, { lists }: Catalogue): string | undefined {
  const filter = lists.filters.get(name);
  const option = filter && { V: 'vf', A: 'af' }[filter.inputs];
  return option && `"${name}" is a filter. Send it with its options in "${option}".`;
}

/** The minimum length of an unknown name for a suggestion of a similar name: nearly every short name is similar to another. */
const MIN_LENGTH = 4;

/** The names for suggestions, by the options of a catalogue. Cached, because listing them would take longer than all other checks. */
const listed = new WeakMap<Catalogue['avOptions'], readonly string[]>();

function suggestionsOf(catalogue: Catalogue): readonly string[] {
  const names = listed.get(catalogue.avOptions) ?? [...suggestions(catalogue)];
  listed.set(catalogue.avOptions, names);
  return names;
}

function* suggestions(catalogue: Catalogue): Generator<string> {
  // Names without help are left out: earlier requests added them to `catalogue.cli`.
  for (const name of CLI_RULES.keys()) if (catalogue.cliHelp.has(name)) yield name;
  for (const name of catalogue.avOptions.keys())
    if (rejectionReasonOf(name) === undefined && usesOf(catalogue, name).length > 0) yield name;
  yield* ALIAS_NAMES;
}

/** An option that only newer releases of ffmpeg have, and the fix for older releases. */
interface NewerOption {
  readonly release: string;
  fix(value: string): Edits;
}

const mirrored = (filter: string): NewerOption => ({
  release: '6.0',
  fix: () => sendIn('parameters', 'vf', filter),
});

/** The allowed options that ffmpeg 5.1 lacks. */
const NEWER_OPTIONS: ReadonlyMap<string, NewerOption> = new Map<string, NewerOption>([
  ['display_rotation', { release: '6.0', fix: rotationFix }],
  ['display_hflip', mirrored('hflip')],
  ['display_vflip', mirrored('vflip')],
  ['shortest_buf_duration', { release: '6.0', fix: () => leaveOut() }],
]);

/** Filters that rotate counterclockwise, by degrees. */
const TURNS: Readonly<Record<number, string>> = { 90: 'transpose=2', 180: 'hflip,vflip', 270: 'transpose=1' };

/** The fix for `display_rotation`. Muxers of ffmpeg 5.1 write the tag `rotate` as a display matrix of the same direction. */
function rotationFix(value: string): Edits {
  const sent = readPlainNumber(value);
  const degrees = sent === undefined ? undefined : ((sent % 360) + 360) % 360;
  if (degrees === undefined || degrees === 0) return leaveOut();
  const filter = TURNS[degrees];
  const copied = sendIn('parameters', 'metadata:s:v:0', `rotate=${degrees}`);
  return filter === undefined
    ? { ...copied, note: 'This works for a copied stream.' }
    : {
        ...orElse(copied, sendIn('parameters', 'vf', filter)),
        note: 'The first is for a copy, the second encodes the video.',
      };
}

/** The error for an option that only newer releases have. `key`: the name as the client sent it. */
function newerOption(name: string, key: string, value: unknown): ValueError | undefined {
  const newer = NEWER_OPTIONS.get(name);
  if (newer === undefined) return undefined;
  return {
    code: 'UNKNOWN_OPTION',
    message: `The installed ffmpeg has no option "${key}": it exists from ffmpeg ${newer.release} on.`,
    fix: newer.fix(typeof value === 'string' ? value : ''),
  };
}
