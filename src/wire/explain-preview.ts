import { meantSeconds } from './explain-scalars.ts';

/*
 * The fixes for fields of a preview in other words: a part of the file, or a number of pictures, where it takes times, columns and rows.
 */

const START = /^(?:start|from|begin|ss|seek|offset|(?:start|begin)_?(?:time|at|seconds)|time_?start|clip_?start)$/i;
const END = /^(?:end|to|until|stop|(?:end|stop)_?(?:time|at|seconds)|time_?end|clip_?end)$/i;
const LENGTH = /^(?:duration|length|t|seconds)$/i;
const COUNT =
  /^(?:count|frames|num(?:ber)?_?(?:of_?)?(?:frames|thumbnails|images|pictures)?|n|samples|(?:frame|thumbnail|image|picture)_?count|thumbnails|tiles)$/i;

/** The most pictures of one call. */
const MAX_TIMES = 4;
/** The most pictures of a contact sheet that a number asks for. */
const MAX_TILES = 100;

/**
 * The fix for the part of a file that a preview shows, or for the number of its pictures. undefined for other fields.
 *
 * @param known The names of the fields that a preview has.
 */
export function previewFieldFix(key: string, parent: unknown, known: readonly string[]): string | undefined {
  const isPreview = known.includes('view') && known.includes('at') && known.includes('columns');
  if (!isPreview || typeof parent !== 'object' || parent === null) return undefined;
  if (![START, END, LENGTH, COUNT].some((names) => names.test(key))) return undefined;
  const sent = Object.entries(parent);
  const of = (names: RegExp): number | undefined => {
    const [, value] = sent.find(([name]) => names.test(name)) ?? [];
    const number = typeof value === 'string' ? meantSeconds(value) : value;
    return typeof number === 'number' && number >= 0 ? number : undefined;
  };
  const [start, length, count] = [of(START), of(LENGTH), of(COUNT)];
  const end = of(END) ?? (length === undefined ? undefined : (start ?? 0) + length);
  if (COUNT.test(key) && start === undefined && end === undefined) return gridFix(count, parent);
  if ('at' in parent || (start === undefined && end === undefined)) return undefined;
  return `Send "at": ${JSON.stringify(timesBetween(start ?? 0, end, count))}.`;
}

/** As many columns and rows as show the pictures. */
function gridFix(count: number | undefined, parent: object): string | undefined {
  const isGrid = count !== undefined && Number.isInteger(count) && count >= 1 && count <= MAX_TILES;
  if (!isGrid || 'at' in parent || 'columns' in parent || 'rows' in parent) return undefined;
  const columns = Math.ceil(Math.sqrt(count));
  return `Send "columns": ${columns} and "rows": ${Math.ceil(count / columns)}.`;
}

/** Times that divide a part evenly, without its end, where the next one may begin. The start alone if the part has no end. */
function timesBetween(start: number, end: number | undefined, count = MAX_TIMES): readonly number[] {
  if (end === undefined || end <= start) return [start];
  const times = Math.max(1, Math.min(MAX_TIMES, Math.floor(count)));
  return Array.from({ length: times }, (_, i) => Number((start + (i * (end - start)) / times).toFixed(3)));
}
