import { leaveOut, rename } from '../../../domain/edit.ts';
import { hint } from '../../../domain/hint.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { optionMeanings } from '../../../domain/synonyms/option-meanings.ts';
import { CLI_RULES } from '../../allowlist/cli-rules.ts';
import { rejectionReasonOf } from '../../allowlist/rejection-reasons.ts';
import { type Catalogue, isCodecUse, usesOf } from '../../catalogue/catalogue.ts';
import { nearestName } from '../../values/value-error.ts';
import { newerOption } from './newer-options.ts';
import { ALIAS_NAMES, type OptionName } from './option-name.ts';
import { checkSuggestion } from './option-values.ts';
import { isMisnamed, type ParsedOption, parseOption } from './parse-request.ts';

type OptionError = Omit<FieldError, 'field'>;

/**
 * Returns the error for an option that no part of ffmpeg accepts, or that only a part accepts that conversions cannot
 * use.
 */
export function unusableOption(option: ParsedOption, catalogue: Catalogue): OptionError {
  const { name, key } = option;
  const currentName = withoutMediaPrefix(name, catalogue);
  if (currentName !== undefined)
    return { code: 'UNKNOWN_OPTION', message: `"${key}" is an old spelling.`, fix: rename(currentName) };
  if (catalogue.avOptions.has(name.name) && optionMeanings(name.name) !== undefined)
    return { code: 'UNKNOWN_OPTION', message: `No part of a conversion has an option "${key}".`, fix: leaveOut() };
  if (catalogue.avOptions.has(name.name))
    return {
      code: 'OPTION_NOT_ALLOWED',
      message: `"${key}" is not allowed: it controls how ffmpeg opens files and URLs, and the service does that itself.`,
      fix: leaveOut(),
    };
  return newerOption(name.name, key, option.value) ?? unknownOption(option, catalogue);
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

/** The closest name is suggested only if the option accepts the value under it. */
function unknownOption({ name, key, value, field }: ParsedOption, catalogue: Catalogue): OptionError {
  const names = suggestionsOf(catalogue);
  const lower = name.name.toLowerCase();
  const near = name.name.length < MIN_LENGTH ? undefined : nearestName(name.name, names);
  const closest = lower !== name.name && names.includes(lower) ? lower : near;
  const suggestion = closest === undefined || name.specifier === undefined ? closest : `${closest}:${name.specifier}`;
  const meant = suggestion === undefined ? undefined : parseOption(suggestion, value, field);
  const isValid =
    meant !== undefined && !isMisnamed(meant) && checkSuggestion(meant.name, value, catalogue) === undefined;
  return {
    code: 'UNKNOWN_OPTION',
    message: `The installed ffmpeg has no option "${key}".`,
    fix:
      suggestion !== undefined && isValid
        ? rename(suggestion)
        : hint`Send the name of an option from ffmpeg's documentation, without the leading dash. For a task such as a watermark, find a recipe: ${{ do: 'find-recipe' }}.`,
  };
}

/** The minimum length of a name that gets a suggestion. Nearly every shorter name is close to another one. */
const MIN_LENGTH = 4;

/** Listing them for each unknown option would take longer than all other checks. */
const listed = new WeakMap<Catalogue['avOptions'], readonly string[]>();

function suggestionsOf(catalogue: Catalogue): readonly string[] {
  const names = listed.get(catalogue.avOptions) ?? [...suggestions(catalogue)];
  listed.set(catalogue.avOptions, names);
  return names;
}

function* suggestions(catalogue: Catalogue): Generator<string> {
  // `catalogue.cli` also has the names without help that earlier requests asked for.
  for (const name of CLI_RULES.keys()) if (catalogue.cliHelp.has(name)) yield name;
  for (const name of catalogue.avOptions.keys())
    if (rejectionReasonOf(name) === undefined && usesOf(catalogue, name).length > 0) yield name;
  yield* ALIAS_NAMES;
}
