import { sendMembers } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { isTextType } from '../../allowlist/av-text.ts';
import { CLI_RULES } from '../../allowlist/cli-rules.ts';
import { type Catalogue, usesOf } from '../../catalogue/catalogue.ts';
import { quoted } from '../../values/value-error.ts';
import { isNameError, parseOptionName } from './option-name.ts';
import { isMisnamed, type ParsedOption, type ParsedOptions, sentValue } from './parse-request.ts';

/** Values that may contain blanks, or that have an error of their own for them. */
const MAY_CONTAIN_BLANKS: ReadonlySet<string> = new Set(['text', 'shape', 'key frames', 'as the encoder']);

/** Options of encoders that are texts for ffmpeg, and words for their libraries. */
const WORDS: ReadonlySet<string> = new Set(['preset', 'tune', 'profile', 'level']);

/** `crf=28`, `-crf=28`. */
const PAIR = /^-{0,2}([a-z][\w-]*(?::[\w:]+)?)=(.+)$/i;
/** `-crf`, before its value. */
const DASHED = /^--?([a-z][\w-]*(?::[\w:]+)?)$/i;

const baseOf = (name: string): string | undefined => {
  const parsed = parseOptionName(name);
  return isNameError(parsed) ? undefined : parsed.name;
};

/** Whether an option takes a single word. */
function takesOneWord(name: string, catalogue: Catalogue): boolean {
  const rule = CLI_RULES.get(name);
  if (rule !== undefined) return !MAY_CONTAIN_BLANKS.has(rule.value.takes);
  const uses = usesOf(catalogue, name);
  return WORDS.has(name) || (uses.length > 0 && !uses.some(({ type }) => isTextType(type)));
}

/** The options in the words after a value. undefined if a word is something else. */
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

/** The error for further options in the value of one: `"c:v": "libx264 -crf 28"`. undefined for other values. */
export function optionsInValue(
  { name, sentName, value }: ParsedOption,
  parsed: ParsedOptions,
  catalogue: Catalogue,
): Omit<FieldError, 'field'> | undefined {
  if (typeof value !== 'string' || !/\S\s+\S/.test(value) || !takesOneWord(name.name, catalogue)) return undefined;
  const [first = '', ...words] = value.trim().split(/\s+/);
  const others = readOptions(words, catalogue);
  if (others === undefined) return undefined;
  // Those that the request has already stay as they are.
  const isSent = (one: string): boolean =>
    sentValue(parsed, one) !== undefined || parsed.some((other) => !isMisnamed(other) && other.key === one);
  const members = [[sentName, first] as const, ...others.filter(([one]) => !isSent(one))];
  return {
    code: 'BAD_VALUE',
    message: `"${sentName}" has other options in its value: ${quoted(value)}.`,
    fix: sendMembers(Object.fromEntries(members)),
  };
}
