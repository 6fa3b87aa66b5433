/** Why an expression is not allowed. */
export interface ExpressionError {
  /** The end of a sentence that starts with the expression: `calls "while", which is not allowed`. */
  readonly error: string;
}

/** The maximum length of an expression, in characters. ffmpeg parses the whole text again for every value that it computes. */
export const MAX_EXPRESSION_LENGTH = 4096;

/** The maximum depth of brackets. ffmpeg's parser recurses for every bracket, and fails at a depth of 100 (`libavutil/eval.c`). */
const MAX_DEPTH = 64;

/**
 * The functions of ffmpeg's expressions (`libavutil/eval.c`, ffmpeg 5.1 to 8) that end and write nothing. Missing are `while`, which may
 * never end, even after SIGTERM; `root` and `taylor`, which evaluate their argument up to a thousand times, so that nested calls multiply;
 * and `print`, which writes to the log.
 */
const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'abs acos asin atan atan2 between bitand bitor ceil clip cos cosh eq exp floor gauss gcd gt gte hypot if ifnot ' +
    'isinf isnan ld lerp log lt lte max min mod not pow random randomi round sgn sin sinh sqrt squish st tan tanh time ' +
    'trunc'
  ).split(' '),
);

const REJECTED: ReadonlySet<string> = new Set(['while', 'print', 'root', 'taylor']);

/** White space of C (isspace), which ffmpeg removes before it parses, even within a name. */
const SPACES = /[ \t\n\v\f\r]+/g;

const SPACE = new RegExp(SPACES.source);

const NAME_START = /[A-Za-z_]/;

/** Matches a number, a name or a punctuation mark. */
const TOKEN =
  /(?:0x[\da-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?:dB|[yzafpnumcdhkKMGTPEZY]i?B?)?(?![A-Za-z_\d.]))|[A-Za-z_]\w*|[-+*/^(),;:]/iy;

/** Matches a plain number. Most expressions are plain numbers, which need no further check. */
const NUMBER = /^-?\d{1,9}(?:\.\d{1,9})?$/;

/**
 * Checks that ffmpeg can evaluate `text` safely: it has only names, numbers, operators and calls of functions that end, and is neither too
 * long nor too deep. Whether it makes sense is left to ffmpeg.
 *
 * @param own Functions that the filter adds, such as `lum` of `geq`.
 */
export function checkExpression(text: string, own: ReadonlySet<string> = NONE): ExpressionError | undefined {
  if (NUMBER.test(text)) return undefined;
  if (text.length > MAX_EXPRESSION_LENGTH) return { error: `is longer than ${MAX_EXPRESSION_LENGTH} characters` };
  const plain = SPACE.test(text) ? text.replace(SPACES, '') : text;
  let depth = 0;
  let at = 0;
  while (at < plain.length) {
    TOKEN.lastIndex = at;
    if (!TOKEN.test(plain))
      return {
        error: `contains "${/^(?:[\w.]+|.)/s.exec(plain.slice(at, at + 32))?.[0] ?? ''}", which is not allowed in an expression`,
      };
    const mark = plain.charAt(at);
    const name = NAME_START.test(mark) ? plain.slice(at, TOKEN.lastIndex) : undefined;
    at = TOKEN.lastIndex;
    if (mark === '(' && ++depth > MAX_DEPTH) return { error: `has more than ${MAX_DEPTH} nested brackets` };
    if (mark === ')' && --depth < 0) return { error: 'closes a bracket that was never opened' };
    if (name === undefined) continue;
    // Reject these names without a bracket too. ffmpeg compares only the start of the text, so it reads "while+x(1,1)" as a call of while.
    if (REJECTED.has(name)) return { error: `calls "${name}", which is not allowed` };
    const called = plain.charAt(at) === '(';
    if (called && !FUNCTIONS.has(name) && !own.has(name)) return { error: `calls the unknown function "${name}"` };
    if (!called && FUNCTIONS.has(name) && !own.has(name) && !ALSO_CONSTANTS.has(name))
      return { error: `names the function "${name}" without calling it` };
  }
  return depth === 0 ? undefined : { error: 'has a bracket that is never closed' };
}

const NONE: ReadonlySet<string> = new Set();

/** Functions whose name is also a constant of a filter: `time` in zoompan. */
const ALSO_CONSTANTS: ReadonlySet<string> = new Set(['time']);
