import type { FieldError, TextSpan } from '@telecine/contract/domain/problem.ts';

/** Where a part of a command is: a part of its text, or the index of a word in its list. */
export type Place = TextSpan | { readonly word: number };

export type Placed<T> = T & { readonly place?: Place };

/** One word of a command, without quotes and backslashes. */
export interface Word {
  readonly text: string;
  readonly place: Place;
  /** Present if a shell would replace the word by the names of files that match it. */
  readonly isPattern?: true;
}

export interface Words {
  readonly words: readonly Word[];
  /** Parts that only a shell can run. */
  readonly errors: readonly Placed<FieldError>[];
}

/** A prompt that was copied with the command: `$ `, `C:\Films>`. */
const PROMPT = /\s*(?:(?:[A-Za-z]:[^\s'"|;&<>]*>|\[[^\]\n]{0,99}\][#$]|[$#>])\s*(?=\S*ffmpeg))?/iy;
const BLANKS = /[^\S\n]+/y;
const COMMENT = /#[^\n]*/y;
/** A line that goes on, in POSIX shells, cmd and PowerShell. */
const CONTINUED = /[\\^`][^\S\n]*\n/y;
const PLAIN = /[^\s'"\\$`|&;<>()*?[{~^#]+/y;
const BRACES = /\{[^\s{}'"\\$`]*\}/y;
/** The `$` before a quote with escapes (`$'a\n'`) or a translation (`$"text"`), which bash has and POSIX lacks. */
const DOLLAR_QUOTE = /\$(?=['"])/y;
const SINGLE = /'[^']*'/y;
const IN_DOUBLE = /[^"\\$`]+/y;
const VARIABLE = /\$(?:\w+|\{[^}\n]*\}?|\([^)\n]*\)?|[@*#?!$-])/y;
const SUBSTITUTION = /`[^`\n]*`?/y;
const OPERATOR = /\|[|&]?|&&?|;;?|\n|[()]|\d*[<>][<>&|]?/y;
const TYPOGRAPHIC = /^[–—−“”„‘’]/;
/** A path of Windows, whose backslashes are no escapes. */
const WINDOWS_PATH = /^[A-Za-z]:/;

/** Splits a text into words by the quoting rules of POSIX shells. Nothing is expanded: what a shell would run or replace is an error. */
export function splitWords(text: string): Words {
  const words: Word[] = [];
  const errors: Placed<FieldError>[] = [];
  let word: { parts: string[]; from: number; isPattern: boolean } | undefined;
  let lineEnd: number | undefined;
  let at = 0;
  const take = (token: RegExp): string | undefined => {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const fail = (from: number, to: number, [message, fix]: Reason): void => {
    errors.push({ field: '/command', code: 'SHELL_SYNTAX', message, fix, place: { offset: from, length: to - from } });
  };
  const append = (part: string, from: number, isPattern = false): void => {
    word ??= { parts: [], from, isPattern };
    word.parts.push(part);
    word.isPattern ||= isPattern;
  };
  const endWord = (to: number): void => {
    if (word === undefined) return;
    const { parts, from, isPattern } = word;
    const joined = parts.join('');
    if (TYPOGRAPHIC.test(joined)) fail(from, to, TYPOGRAPHIC_REASON(joined));
    words.push({ text: joined, place: { offset: from, length: to - from }, ...(isPattern && { isPattern: true }) });
    word = undefined;
  };
  const expansion = (from: number): boolean => {
    const shown = take(VARIABLE) ?? take(SUBSTITUTION);
    if (shown !== undefined) fail(from, at, expansionReason(shown));
    return shown !== undefined;
  };
  /** Reads up to the closing quote. */
  const double = (): void => {
    const start = at;
    append('', at);
    at += 1;
    while (at < text.length && text[at] !== '"') {
      const from = at;
      const plain = take(IN_DOUBLE);
      if (plain !== undefined) append(plain, from);
      else if (text[at] === '\\') {
        const next = text.charAt(at + 1);
        append(next === '\n' ? '' : /["\\$`]/.test(next) ? next : `\\${next}`, from);
        at += 2;
      } else if (!expansion(from)) {
        append('$', from);
        at += 1;
      }
    }
    if (at >= text.length) fail(start, text.length, UNCLOSED('"'));
    at += 1;
  };
  take(PROMPT);
  while (at < text.length && errors.length < MAX_ERRORS) {
    const from = at;
    const char = text.charAt(at);
    if (take(CONTINUED) !== undefined || (word === undefined && take(COMMENT) !== undefined)) continue;
    // Digits at the start of a word may be the number of a redirected stream (`2>log`). Later digits are part of the word.
    const operator = word === undefined || !/\d/.test(char) ? take(OPERATOR) : undefined;
    const isBlank = operator === undefined && take(BLANKS) !== undefined;
    if (isBlank || operator !== undefined) {
      endWord(from);
      if (operator === '\n' && words.length > 0) lineEnd ??= from;
      if (isBlank || operator === '\n') continue;
      fail(from, at, operatorReason(operator ?? ''));
      break;
    }
    if (lineEnd !== undefined) {
      fail(lineEnd, lineEnd + 1, operatorReason('\n'));
      break;
    }
    const braces = take(BRACES);
    if (braces !== undefined && /,|\.\./.test(braces)) fail(from, at, BRACES_REASON(braces));
    const plain = braces ?? take(PLAIN) ?? take(SINGLE)?.slice(1, -1);
    if (plain !== undefined) append(plain, from);
    else if (char === '"') double();
    else if (expansion(from)) append('', from);
    else if (take(DOLLAR_QUOTE) !== undefined) {
      fail(from, at + 1, DOLLAR_QUOTE_REASON(text.slice(from, at + 1)));
      append('', from);
    } else if (char === "'") {
      fail(from, text.length, UNCLOSED("'"));
      break;
    } else if (char === '\\') {
      const isPath = WINDOWS_PATH.test(word?.parts[0] ?? '');
      append(isPath ? char : text.charAt(at + 1), from);
      at += isPath ? 1 : 2;
    } else {
      if (char === '~' && word === undefined) fail(from, from + 1, TILDE);
      append(char, from, /[*?[]/.test(char));
      at += 1;
    }
  }
  endWord(Math.min(at, text.length));
  return { words, errors };
}

/** More are not shown. */
const MAX_ERRORS = 20;

type Reason = readonly [message: string, fix: string];

const UNCLOSED = (quote: string): Reason => [`The quote ${quote} is never closed.`, `Close it with another ${quote}.`];
const TILDE: Reason = ['"~" is replaced by a shell, and no shell runs.', 'Send the whole path.'];
const BRACES_REASON = (shown: string): Reason => [
  `"${shown.slice(0, 60)}" is replaced by several words by a shell, and no shell runs.`,
  "Write each word, or quote it with '.",
];
const DOLLAR_QUOTE_REASON = (shown: string): Reason => [
  `"${shown}" begins a text that a shell rewrites, and no shell runs.`,
  `Write the text between plain quotes, without the $.`,
];
const TYPOGRAPHIC_REASON = (word: string): Reason => [
  `"${word.slice(0, 60)}" begins with a character of a word processor.`,
  'Write the hyphen - before an option, and the plain quotes " and \'.',
];

const expansionReason = (shown: string): Reason =>
  /^(?:`|\$\()/.test(shown)
    ? [`"${shown.slice(0, 60)}" is replaced by what a command prints, and no shell runs.`, 'Send what it prints.']
    : [`"${shown.slice(0, 60)}" is a variable of a shell, and no shell runs.`, "Send its value, or quote it with '."];

function operatorReason(operator: string): Reason {
  if (/^[()]/.test(operator))
    return [`"${operator}" outside quotes is a part of the language of shells.`, 'Write the word in quotes.'];
  if (/[<>]/.test(operator))
    return [
      `"${operator}" redirects a file by a shell, and no shell runs.`,
      'Name the input after -i and the output as the last word. The log of ffmpeg is kept with the job.',
    ];
  if (/^\|&?$/.test(operator))
    return [
      `"${operator}" is a pipe to another program, and only ffmpeg runs.`,
      'Send the command of ffmpeg alone, with files as its inputs and outputs.',
    ];
  return [
    `${operator === '\n' ? 'A new line' : `"${operator}"`} ends the command, and only one is read.`,
    'Send each command on its own. Of two passes, send the second: the service runs both.',
  ];
}
