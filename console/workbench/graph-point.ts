/** The place of the cursor in a filtergraph. `typed`: the beginning of the word there. `from`: the offset of the word. */
type GraphPoint =
  | { readonly kind: 'filter'; readonly from: number; readonly typed: string }
  | { readonly kind: 'option'; readonly from: number; readonly typed: string; readonly filter: string }
  | {
      readonly kind: 'value';
      readonly from: number;
      readonly typed: string;
      readonly filter: string;
      readonly option: string;
    };

/**
 * Finds the place of the cursor. `before`: the filtergraph up to the cursor. undefined: nothing can be suggested, because the cursor is in a
 * label or in quotes, or a space follows the word.
 */
export function graphPoint(before: string): GraphPoint | undefined {
  const marks = marksIn(before);
  if (marks === undefined) return undefined;
  const lastOf = (chars: string): number => marks.findLast(({ char }) => chars.includes(char))?.at ?? -1;
  if (lastOf('[') > lastOf(']')) return undefined;
  const start = lastOf(',;]') + 1;
  const equals = marks.find(({ at, char }) => at >= start && char === '=')?.at;
  if (equals === undefined) return word(before, start, (found) => ({ kind: 'filter', ...found }));
  const [filter = ''] = before.slice(start, equals).trim().split('@', 1);
  const option = Math.max(equals, lastOf(':')) + 1;
  const assigned = marks.find(({ at, char }) => at >= option && char === '=')?.at;
  if (assigned === undefined) return word(before, option, (found) => ({ kind: 'option', filter, ...found }));
  const name = before.slice(option, assigned).trim();
  return word(before, assigned + 1, (found) => ({ kind: 'value', filter, option: name, ...found }));
}

/** The word from an offset to the end of the text, without leading spaces. */
function word(
  text: string,
  offset: number,
  point: (found: { readonly from: number; readonly typed: string }) => GraphPoint,
): GraphPoint | undefined {
  const typed = text.slice(offset).trimStart();
  return /^[\w.+-]*$/.test(typed) ? point({ from: text.length - typed.length, typed }) : undefined;
}

/** The separators of a filtergraph that are not quoted or escaped. undefined: a quote is open at the end. */
function marksIn(text: string): readonly { readonly at: number; readonly char: string }[] | undefined {
  const marks: { at: number; char: string }[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) return undefined;
      at = close;
    } else if (',;[]=:'.includes(char)) marks.push({ at, char });
  }
  return marks;
}
