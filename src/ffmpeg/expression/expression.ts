/** Why a text is no expression that may be evaluated, as the rest of a sentence that begins with its name. */
export interface ExpressionError {
  readonly error: string;
  /** What to send instead, where that can be said. */
  readonly fix?: string;
}

/** Longer ones are refused: ffmpeg goes over the whole text again for every value that it computes. */
export const MAX_EXPRESSION_LENGTH = 4096;

/** ffmpeg's parser calls itself for every bracket, and gives up at 100 (libavutil/eval.c). */
const DEEPEST = 64;

/**
 * Functions of libavutil's evaluator (eval.c, 5.1 to 8) that end, and write nothing. Left out: `while`, which may never
 * end, not even on SIGTERM; `root` and `taylor`, which evaluate their argument up to a thousand times and so multiply;
 * `print`, which writes into the log.
 */
const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'abs acos asin atan atan2 between bitand bitor ceil clip cos cosh eq exp floor gauss gcd gt gte hypot if ifnot ' +
    'isinf isnan ld lerp log lt lte max min mod not pow random randomi round sgn sin sinh sqrt squish st tan tanh time ' +
    'trunc'
  ).split(' '),
);

const REFUSED: ReadonlySet<string> = new Set(['while', 'print', 'root', 'taylor']);

/** Spaces as C's isspace has them: ffmpeg takes them out first, even from the middle of a name. */
const SPACES = /[ \t\n\v\f\r]+/g;

const TOKEN =
  /(?<number>0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:dB|[yzafpnumcdhkKMGTPEZY]i?B?)?(?![A-Za-z_\d]))|(?<name>[A-Za-z_]\w*)|(?<mark>[-+*/^(),;:])/iy;

/**
 * Tells whether ffmpeg may be given `text` to evaluate: names, numbers, operators and calls of functions that end,
 * of bounded length and depth. What a name stands for, and whether the whole makes sense, is left to ffmpeg.
 *
 * @param own Functions that the filter brings along, such as `lum` of `geq`.
 * @param names All that a name may stand for, where that is known.
 */
export function checkExpression(
  text: string,
  own: ReadonlySet<string> = NONE,
  names?: ReadonlySet<string>,
): ExpressionError | undefined {
  if (text.length > MAX_EXPRESSION_LENGTH) return { error: `is longer than ${MAX_EXPRESSION_LENGTH} characters` };
  const plain = text.replace(SPACES, '');
  let depth = 0;
  let at = 0;
  while (at < plain.length) {
    TOKEN.lastIndex = at;
    const { name, mark } = TOKEN.exec(plain)?.groups ?? {};
    if (TOKEN.lastIndex === 0) return { error: `holds "${plain.charAt(at)}", which no expression has` };
    at = TOKEN.lastIndex;
    if (mark === '(' && ++depth > DEEPEST) return { error: `has more than ${DEEPEST} brackets in one another` };
    if (mark === ')' && --depth < 0) return { error: 'closes a bracket that was never opened' };
    if (name === undefined) continue;
    // Anywhere: ffmpeg finds the function of "while+x(1,1)" by how the text begins.
    if (REFUSED.has(name)) return { error: `calls "${name}", which is not offered`, fix: 'Say it without a loop.' };
    const called = plain.charAt(at) === '(';
    if (called && !FUNCTIONS.has(name) && !own.has(name))
      return { error: `calls "${name}", which is no function that is offered` };
    if (!called && FUNCTIONS.has(name) && !own.has(name) && !ALSO_CONSTANTS.has(name))
      return { error: `names the function "${name}" without calling it` };
    if (names !== undefined && !called && !names.has(name) && !CONSTANT.test(name)) return unknownName(name, names);
  }
  return depth === 0 ? undefined : { error: 'has a bracket that is never closed' };
}

/** What every expression knows. */
const CONSTANT = /^(?:PI|E|PHI|QP2LAMBDA|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN])$/;

function unknownName(name: string, names: ReadonlySet<string>): ExpressionError {
  const lower = name.toLowerCase();
  return {
    error: `names "${name.slice(0, 64)}", which stands for nothing here`,
    fix: `Write ${names.has(lower) ? `"${lower}" for it` : 'another'}: it knows ${[...names].join(', ')}.`,
  };
}

const NONE: ReadonlySet<string> = new Set();

/** A function that a filter (zoompan) has as a constant too. */
const ALSO_CONSTANTS: ReadonlySet<string> = new Set(['time']);
