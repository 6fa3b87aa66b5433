/** What libavutil skips between words (WHITESPACES of avstring.c and graphparser.c). */
const SPACES = ' \n\t\r';

const isSpace = (char: string): boolean => char !== '' && SPACES.includes(char);

/** The offset of the first character from `at` on that is no space. */
export function skipSpaces(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charAt(next))) next += 1;
  return next;
}

/** A word with its quoting undone, and where the text goes on. */
export interface Token {
  readonly text: string;
  readonly end: number;
}

/** What ffmpeg would let through, though nobody means it. */
export interface TokenError {
  readonly error: string;
  readonly at: number;
}

/**
 * One word up to any character of `ends` or the end of the text, read as `av_get_token` (libavutil/avstring.c) reads
 * it: spaces around it are dropped unless quoted, a backslash takes the next character as it is, quotes take all up to
 * the next quote, backslashes included. Unlike it, this refuses a quote that is never closed and a backslash with
 * nothing behind it.
 */
export function readToken(text: string, from: number, ends: string): Token | TokenError {
  let at = skipSpaces(text, from);
  let word = '';
  /** Up to here spaces belong to the word, being quoted. */
  let kept = 0;
  while (at < text.length && !ends.includes(text.charAt(at))) {
    const char = text.charAt(at);
    if (char === '\\') {
      if (at + 1 === text.length) return { error: 'A backslash has nothing behind it', at };
      word += text.charAt(at + 1);
      kept = word.length;
      at += 2;
    } else if (char === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) return { error: 'A quote is never closed', at };
      word += text.slice(at + 1, close);
      kept = word.length;
      at = close + 1;
    } else {
      word += char;
      at += 1;
    }
  }
  return { text: word.slice(0, lengthWithoutSpaces(word, kept)), end: at };
}

/** `word` so that `readToken` reads it back where the characters of `special` have a meaning. */
export function quoteToken(word: string, special: string): string {
  const from = skipSpaces(word, 0);
  const to = lengthWithoutSpaces(word, 0);
  let quoted = '';
  for (let i = 0; i < word.length; i++) {
    const char = word.charAt(i);
    const outer = i < from || i >= to;
    if (char === '\\' || char === "'" || special.includes(char) || (outer && isSpace(char))) quoted += '\\';
    quoted += char;
  }
  return quoted;
}

/** How long a word is without the spaces at its end, of which the first `kept` characters stay. */
function lengthWithoutSpaces(word: string, kept: number): number {
  let length = word.length;
  while (length > kept && isSpace(word.charAt(length - 1))) length -= 1;
  return length;
}
