/** Whitespace as libavutil defines it (WHITESPACES in avstring.c and graphparser.c). */
const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r';

/** The offset of the first character from `at` on that is not a space. */
export function skipSpaces(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charAt(next))) next += 1;
  return next;
}

/** A word without its quotes, and the offset after it. */
export interface Token {
  readonly text: string;
  readonly end: number;
}

/** An error in the quotes of a word. ffmpeg accepts such text, but it is almost certainly a mistake. */
export interface TokenError {
  readonly error: string;
  readonly at: number;
}

/**
 * Reads a word up to any character of `ends`, as `av_get_token` does (libavutil/avstring.c). Drops spaces around the word that are not
 * quoted. A backslash escapes the next character. Quotes include everything up to the next quote, also backslashes. Unlike ffmpeg, rejects
 * an unclosed quote and a backslash at the end.
 *
 * @param offsets Receives the offset in `text` of each character of the word.
 */
export function readToken(text: string, from: number, ends: string, offsets?: number[]): Token | TokenError {
  const marks = marksOf(ends);
  let at = skipSpaces(text, from);
  let word = '';
  /** The length of the word up to its last quoted character. Spaces before it belong to the word. */
  let quotedLength = 0;
  while (at < text.length && !ends.includes(text.charAt(at))) {
    const char = text.charAt(at);
    if (char === '\\') {
      if (at + 1 === text.length) return { error: 'A backslash is followed by nothing', at };
      word += text.charAt(at + 1);
      offsets?.push(at + 1);
      quotedLength = word.length;
      at += 2;
    } else if (char === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) return { error: 'A quote is never closed', at };
      word += text.slice(at + 1, close);
      for (let i = at + 1; i < close; i++) offsets?.push(i);
      quotedLength = word.length;
      at = close + 1;
    } else {
      const from = at;
      do at += 1;
      while (at < text.length && marks[text.charCodeAt(at)] !== 1);
      word += text.slice(from, at);
      if (offsets !== undefined) for (let i = from; i < at; i++) offsets.push(i);
    }
  }
  return { text: word.slice(0, lengthWithoutSpaces(word, quotedLength)), end: at };
}

const tables = new Map<string, Uint8Array>();

/** A table with a 1 for each ASCII character that ends a word or starts a quote. Cached, because there are few different `ends`. */
function marksOf(ends: string): Uint8Array {
  const known = tables.get(ends);
  if (known !== undefined) return known;
  const marks = new Uint8Array(128);
  for (const char of `${ends}\\'`) marks[char.charCodeAt(0)] = 1;
  tables.set(ends, marks);
  return marks;
}

/** Quotes `word` for `readToken`. `special`: the characters that end a word. */
export function quoteToken(word: string, special: string): string {
  if (PLAIN.test(word)) return word;
  const marks = marksOf(special);
  const from = skipSpaces(word, 0);
  const to = lengthWithoutSpaces(word, 0);
  let quoted = '';
  let start = 0;
  for (let i = 0; i < word.length; i++) {
    const isOuter = i < from || i >= to;
    if (marks[word.charCodeAt(i)] !== 1 && !(isOuter && isSpace(word.charAt(i)))) continue;
    quoted += `${word.slice(start, i)}\\`;
    start = i;
  }
  return quoted + word.slice(start);
}

const PLAIN = /^[\w.+\-*/()]*$/;

/** Avoids a regular expression, which would take quadratic time. */
export const trailingSpaces = (text: string): string => text.slice(lengthWithoutSpaces(text, 0));

/** The length without trailing spaces, but at least `minLength`. */
function lengthWithoutSpaces(word: string, minLength: number): number {
  let length = word.length;
  while (length > minLength && isSpace(word.charAt(length - 1))) length -= 1;
  return length;
}
