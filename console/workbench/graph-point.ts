import { filtersIn } from './filters-in.ts';

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
  const last = filtersIn(before)?.at(-1);
  if (last === undefined) return undefined;
  const { name: filter, from, settings } = last;
  const setting = settings.at(-1);
  if (setting === undefined) return word(before, from, (found) => ({ kind: 'filter', ...found }));
  const { name: option } = setting;
  return word(before, setting.from, (found) =>
    option === undefined ? { kind: 'option', filter, ...found } : { kind: 'value', filter, option, ...found },
  );
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
