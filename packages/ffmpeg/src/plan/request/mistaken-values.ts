import { type OptionText, REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import { type Edits, leaveOut, sendMembers, sendOption, sendValue } from '@telecine/contract/domain/edit.ts';
import { joinedValue } from '@telecine/contract/domain/structured-values.ts';
import { badEncoding, controlCharacter } from '@telecine/contract/domain/text-validation.ts';
import { CLI_RULES } from '../../allowlist/allowed-cli-options.ts';
import { isTextType } from '../../allowlist/av-text.ts';
import { type Catalogue, encoderNamed, usesOf } from '../../catalogue/catalogue.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { hasKey, oneOrList } from './argv-option.ts';
import { isNameError, parseOptionName } from './option-name.ts';
import { namedOptions, type ParsedOption, type ParsedOptions, sentValue } from './parse-request.ts';
import { isMetadataSpecifier, isStreamSpecifier } from './specifiers.ts';

/** Allow tabs and line breaks, which titles and filtergraphs may have. Texts that people write have no other control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Checks the text of a value, by the rules for every option. */
export function checkOptionText(value: OptionText): ValueError | undefined {
  if (typeof value !== 'string' && value.length === 0)
    return { code: 'EMPTY_LIST', message: 'The list is empty.', fix: leaveOut() };
  return [value]
    .flat()
    .map(checkOneText)
    .find((error) => error !== undefined);
}

function checkOneText(text: string): ValueError | undefined {
  if (text.length > REQUEST_LIMITS.optionValueLength)
    return {
      code: 'TOO_LONG',
      message: `The value is longer than ${REQUEST_LIMITS.optionValueLength} characters.`,
      fix: 'Send a shorter text.',
    };
  if (CONTROL.test(text)) return controlCharacter('The value');
  if (!text.isWellFormed()) return badEncoding('The value');
  return undefined;
}

/** Options whose values may be any text, also with quotes. */
const FREE_TEXT: ReadonlySet<string> = new Set(['metadata', 'program']);

/** Rejects a value with the quotes of a shell: `"scale=320:-2"` with the quotes. */
export function checkShellQuotes(name: string, value: OptionText): ValueError | undefined {
  if (typeof value !== 'string' || FREE_TEXT.has(name)) return undefined;
  const inner = /^"([^"]+)"$/.exec(value)?.[1] ?? /^'([^']+)'$/.exec(value)?.[1];
  if (inner === undefined) return undefined;
  return {
    code: 'SHELL_QUOTES',
    message: 'The value contains the quotes that a shell removes.',
    fix: sendValue(inner),
  };
}

/** The error for a list in an option that takes one value. Its fix sends what the list means. */
export function listForOneValue(option: ParsedOption, parsed: ParsedOptions, catalogue: Catalogue): ValueError {
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

/** The fix for a list of encoders, such as `"c": ["libx264", "aac"]`: one option for each kind of stream. */
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

/** The fix for a list of values, such as `"b:v": ["5M", "2M"]` with two maps of videos: one option for each output stream. */
function perStream(
  { name, sentName }: ParsedOption,
  values: readonly string[],
  parsed: ParsedOptions,
): Members | undefined {
  const letter = name.specifier ?? '';
  if (!/^[vas]$/.test(letter) || !sentName.endsWith(`:${letter}`)) return undefined;
  const maps = sentValue(parsed, 'map') ?? [];
  const streams = [maps].flat().filter((map) => new RegExp(`^\\d+:${letter}(?::|\\?|$)`).test(map));
  return streams.length < values.length ? undefined : values.map((value, index) => [`${sentName}:${index}`, value]);
}

/** The fix for `vf` together with `filter:v`: one option with the filters of both. undefined: the filters cannot be joined. */
export function joinedFilters(first: ParsedOption, second: ParsedOption): Edits | undefined {
  if (first.name.name !== 'filter' || first.value === second.value) return undefined;
  const joined = joinedValue(first.sentName, [first.value, second.value].flat());
  return joined === undefined ? undefined : sendOption(first.sentName, joined);
}

/** Kinds of values that may have blanks, or whose own check rejects blanks. */
const MAY_CONTAIN_BLANKS: ReadonlySet<string> = new Set(['text', 'shape', 'key frames', 'as the encoder']);

/** Options of encoders that accept any text in ffmpeg, but only one word in the encoder library. */
const WORDS: ReadonlySet<string> = new Set(['preset', 'tune', 'profile', 'level']);

/** Matches an option and its value in one word: `crf=28`, `-crf=28`. */
const PAIR = /^-{0,2}([a-z][\w-]*(?::[\w:]+)?)=(.+)$/i;
/** Matches an option whose value is the next word: `-crf`. */
const DASHED = /^--?([a-z][\w-]*(?::[\w:]+)?)$/i;

const baseOf = (name: string): string | undefined => {
  const parsed = parseOptionName(name);
  return isNameError(parsed) ? undefined : parsed.name;
};

/** True if an option takes one word only. */
function takesOneWord(name: string, catalogue: Catalogue): boolean {
  const rule = CLI_RULES.get(name);
  if (rule !== undefined) return !MAY_CONTAIN_BLANKS.has(rule.value.takes);
  const uses = usesOf(catalogue, name);
  return WORDS.has(name) || (uses.length > 0 && !uses.some(({ type }) => isTextType(type)));
}

/** Reads the options in the words after a value. undefined: a word is neither an option nor a value. */
function readOptions(
  words: readonly string[],
  catalogue: Catalogue,
): readonly (readonly [string, string])[] | undefined {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, pairName, pairValue = ''] = PAIR.exec(word) ?? [];
    const name = pairName ?? DASHED.exec(word)?.[1];
    const base = name === undefined ? undefined : baseOf(name);
    if (name === undefined || base === undefined) return undefined;
    if (!CLI_RULES.has(base) && usesOf(catalogue, base).length === 0) return undefined;
    if (pairName !== undefined) found.push([name, pairValue]);
    else {
      const next = words[at + 1];
      const isValue = next !== undefined && !DASHED.test(next) && !PAIR.test(next);
      found.push([name, isValue ? next : '']);
      if (isValue) at += 1;
    }
  }
  return found.length === 0 ? undefined : found;
}

/** The error for further options in the value of an option: `"c:v": "libx264 -crf 28"`. undefined: another value. */
export function optionsInValue(
  { name, sentName, value }: ParsedOption,
  parsed: ParsedOptions,
  catalogue: Catalogue,
): ValueError | undefined {
  if (typeof value !== 'string' || !/\S\s+\S/.test(value) || !takesOneWord(name.name, catalogue)) return undefined;
  const [first = '', ...words] = value.trim().split(/\s+/);
  const others = readOptions(words, catalogue);
  if (others === undefined) return undefined;
  // True if the request already has the option, which then stays unchanged.
  const isSent = (one: string): boolean => sentValue(parsed, one) !== undefined || hasKey(namedOptions(parsed), one);
  const members = [[sentName, first] as const, ...others.filter(([one]) => !isSent(one))];
  return {
    code: 'BAD_VALUE',
    message: `"${sentName}" has other options in its value: ${quoted(value)}.`,
    fix: sendMembers(Object.fromEntries(members)),
  };
}

/** Matches a specifier and a tag, or a tag alone: `s:a:0:language`, `title`. */
const TAG = /^(?:(.+):)?([A-Za-z][\w-]*)$/;

/** What a client means by an option with a tag in its name. */
interface MeantTag {
  readonly option: string;
  readonly tag: string;
}

/** What `"metadata:title": "A"` means: `"metadata": "title=A"`. undefined: there is no tag in the name. */
function meantTag({ name: { name, specifier = '' }, value }: ParsedOption): MeantTag | undefined {
  if (name !== 'metadata' || typeof value !== 'string' || isMetadataSpecifier(specifier)) return undefined;
  // Tags of a stream need `s:` before the specifier.
  if (isStreamSpecifier(specifier) && value.includes('=')) return { option: `metadata:s:${specifier}`, tag: value };
  const [, before, tag = ''] = TAG.exec(specifier) ?? [];
  if (tag === '') return undefined;
  const option =
    before === undefined || isMetadataSpecifier(before)
      ? before
      : isStreamSpecifier(before)
        ? `s:${before}`
        : undefined;
  if (before !== undefined && option === undefined) return undefined;
  return {
    option: option === undefined ? 'metadata' : `metadata:${option}`,
    tag: value.startsWith(`${tag}=`) ? value : `${tag}=${value}`,
  };
}

/** The fix for a tag in the name of an option: one option with all tags of the request. undefined: no name has a tag. */
export function fixOfTagInName(option: ParsedOption, parsed: ParsedOptions): Edits | undefined {
  const meant = meantTag(option);
  if (meant === undefined) return undefined;
  const tags = namedOptions(parsed).flatMap((one) => {
    if (one.key === meant.option) return one.value;
    const other = meantTag(one);
    return other?.option === meant.option ? [other.tag] : [];
  });
  return sendOption(meant.option, oneOrList([...new Set(tags)]));
}
