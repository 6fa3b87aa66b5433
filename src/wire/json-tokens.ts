/** An error in a JSON document, in words. */
export interface JsonError {
  readonly meaning: string;
  readonly offset: number;
}

const codeOf = (character: string): number => character.charCodeAt(0);
export const QUOTE = codeOf('"');
export const COMMA = codeOf(',');
export const COLON = codeOf(':');
export const BRACKET = codeOf('[');
export const BRACKET_END = codeOf(']');
export const BRACE = codeOf('{');
export const BRACE_END = codeOf('}');
const [BACKSLASH, MINUS, PLUS, POINT, ZERO] = ['\\', '-', '+', '.', '0'].map(codeOf);
const [E, BIG_E] = ['e', 'E'].map(codeOf);
export const LINE_FEED = codeOf('\n');
const [TAB, CARRIAGE_RETURN, SPACE] = ['\t', '\r', ' '].map(codeOf);

const WORDS = ['true', 'false', 'null'] as const;

/** What is wrong with a character that begins nothing in JSON. undefined for one that is only in the wrong place. */
export function signError(text: string, at: number): string | undefined {
  if (/^\/[/*]/.test(text.slice(at, at + 2))) return 'a comment, which JSON does not allow';
  const isKnown = /["[\]{}:,\d-]/.test(text.charAt(at)) || endOfWord(text, at) !== undefined;
  return isKnown ? undefined : 'an unknown word or sign (names and strings need double quotes)';
}

/** The index of the next character that is not a space. */
export function endOfSpaces(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return at;
    at += 1;
  }
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The index after a number or a word. undefined if there is none of either. */
export function endOfScalar(text: string, at: number): number | JsonError | undefined {
  const code = text.charCodeAt(at);
  return code === MINUS || isDigit(code) ? endOfNumber(text, at) : endOfWord(text, at);
}

function endOfWord(text: string, at: number): number | undefined {
  const word = WORDS.find((one) => text.startsWith(one, at));
  return word === undefined || /^\w$/.test(text.charAt(at + word.length)) ? undefined : at + word.length;
}

function endOfNumber(text: string, start: number): number | JsonError {
  const malformed: JsonError = { meaning: 'a malformed number', offset: start };
  const whole = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = endOfDigits(text, whole);
  if (at === whole || (text.charCodeAt(whole) === ZERO && at > whole + 1)) return malformed;
  if (text.charCodeAt(at) === POINT) {
    const fraction = at + 1;
    at = endOfDigits(text, fraction);
    if (at === fraction) return malformed;
  }
  if (text.charCodeAt(at) === E || text.charCodeAt(at) === BIG_E) {
    const sign = text.charCodeAt(at + 1);
    const exponent = sign === MINUS || sign === PLUS ? at + 2 : at + 1;
    at = endOfDigits(text, exponent);
    if (at === exponent) return malformed;
  }
  return at;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** The index after the string whose quote is at `start`. */
export function endOfString(text: string, start: number): number | JsonError {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === LINE_FEED || code === CARRIAGE_RETURN) break;
    if (code < 32) return { meaning: 'a raw control character in a string', offset: at };
    if (code !== BACKSLASH) continue;
    const escaped = text.charAt(at + 1);
    if (escaped === 'u' && !/^[\da-f]{4}$/i.test(text.slice(at + 2, at + 6)))
      return { meaning: 'a malformed \\u escape', offset: at };
    if (!'"\\/bfnrtu'.includes(escaped)) return { meaning: 'an unknown escape in a string', offset: at };
    at += 1;
  }
  return { meaning: 'a string without its closing quote', offset: start };
}
