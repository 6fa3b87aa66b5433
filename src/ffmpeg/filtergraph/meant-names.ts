import type { ExpressionNames } from '../allowlist/expression-names.ts';

/** A name in an expression, and not a function. */
const NAME = /(?<![\w.])[a-z_]\w*(?![\w]|\s*\()/gi;

/** What people call the sides of the picture that a filter gets, and of what it draws, without `_`. */
const SIDE =
  /^(?:in|input|video|frame|image|img|picture|pic|main|screen|source|src|orig|original|canvas|base)?(?:(w|width)|h|height)$/;
const OWN_SIDE = /^(?:out|output|crop|text|txt|overlay|logo|watermark|box)(?:(w|width)|h|height)$/;

/** The expression with the names of the filter for other words: `width/2` as `iw/2`. Words of no clear meaning stay. */
export const withKnownNames = (value: string, known: ExpressionNames): string =>
  value.replaceAll(NAME, (word) => (known.names.has(word) ? word : (meantName(word, known) ?? word)));

function meantName(word: string, { names, size, own }: ExpressionNames): string | undefined {
  const bare = word.toLowerCase().replaceAll('_', '');
  for (const [pattern, sides] of [
    [OWN_SIDE, own],
    [SIDE, size],
  ] as const) {
    const side = pattern.exec(bare);
    if (side !== null) return sides?.[side[1] === undefined ? 1 : 0];
  }
  const other = /^(?:time|timestamp|seconds?|secs?)$/.test(bare)
    ? 't'
    : /^frames?(?:n|nr|no|num|number|index)?$/.test(bare)
      ? 'n'
      : undefined;
  return [other, word.toLowerCase()].find((one) => one !== undefined && names.has(one));
}
