import { type Edits, sendMembers, sendOption } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { joinedValue } from '../../../domain/structured-values.ts';
import { type Catalogue, type CodecKind, encoderNamed } from '../../catalogue/catalogue.ts';
import { isMisnamed, type ParsedOption, type ParsedOptions } from './parse-request.ts';

type OptionError = Omit<FieldError, 'field'>;

/** The error for a list of an option that takes one value, with what the list means. */
export function listForOneValue(option: ParsedOption, parsed: ParsedOptions, catalogue: Catalogue): OptionError {
  const { sentName, value } = option;
  const values = [value].flat();
  const joined = joinedValue(sentName, values);
  const members = joined === undefined ? (perKind(option, values, catalogue) ?? perStream(option, values, parsed)) : [];
  return {
    code: 'NOT_REPEATABLE',
    message: `"${sentName}" takes one string, not a list.`,
    fix:
      joined !== undefined
        ? sendOption(sentName, joined)
        : members === undefined
          ? `Send, for example, "${sentName}": ${JSON.stringify(values[0] ?? '')}.`
          : sendMembers(Object.fromEntries(members)),
  };
}

type Members = readonly (readonly [name: string, value: string])[];

/** `"c": ["libx264", "aac"]`: an encoder for each kind of streams. */
function perKind(
  { name, sentName }: ParsedOption,
  values: readonly string[],
  catalogue: Catalogue,
): Members | undefined {
  if (name.name !== 'c' || name.specifier !== undefined) return undefined;
  const kinds = values.map((value) => encoderNamed(catalogue, value)?.kind);
  if (kinds.includes(undefined) || new Set(kinds).size < kinds.length) return undefined;
  return values.map((value, index) => [`${sentName}:${kinds[index]?.charAt(0)}`, value]);
}

const LETTERS: Readonly<Record<string, CodecKind>> = { v: 'video', a: 'audio', s: 'subtitle' };

/** `"b:v": ["5M", "2M"]` with as many maps of videos: a value for each stream of the output. */
function perStream(
  { name, sentName }: ParsedOption,
  values: readonly string[],
  parsed: ParsedOptions,
): Members | undefined {
  const letter = name.specifier ?? '';
  if (LETTERS[letter] === undefined || !sentName.endsWith(`:${letter}`)) return undefined;
  const maps = parsed.find((one): one is ParsedOption => !isMisnamed(one) && one.name.name === 'map')?.value ?? [];
  const streams = [maps].flat().filter((map) => new RegExp(`^\\d+:${letter}(?::|\\?|$)`).test(map));
  return streams.length < values.length ? undefined : values.map((value, index) => [`${sentName}:${index}`, value]);
}

/**
 * The fix for two names of one option with filters in both, `vf` and `filter:v`: the filters of both under the first name.
 * undefined if the values cannot follow each other.
 */
export function joinedFilters(first: ParsedOption, second: ParsedOption): Edits | undefined {
  if (first.name.name !== 'filter' || first.value === second.value) return undefined;
  const joined = joinedValue(first.sentName, [first.value, second.value].flat());
  return joined === undefined ? undefined : sendOption(first.sentName, joined);
}
