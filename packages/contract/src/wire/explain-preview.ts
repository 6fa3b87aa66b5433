import { type Edits, sendMember, sendMembers } from '../domain/edit.ts';
import { PREVIEW_BOUNDS } from '../domain/preview.ts';
import { stringOf } from '../domain/structured-values.ts';
import { meantSeconds } from './explain-scalars.ts';
import type { SentField } from './schema-at.ts';

/* The fixes for fields of a preview in other words: a part of the file, or a number of images. */

const START = /^(?:start|from|begin|ss|seek|offset|(?:start|begin)_?(?:time|at|seconds)|time_?start|clip_?start)$/i;
const END = /^(?:end|to|until|stop|(?:end|stop)_?(?:time|at|seconds)|time_?end|clip_?end)$/i;
const LENGTH = /^(?:duration|length|t|seconds)$/i;
const COUNT =
  /^(?:count|frames|num(?:ber)?_?(?:of_?)?(?:frames|thumbnails|images|pictures)?|n|samples|(?:frame|thumbnail|image|picture)_?count|thumbnails|tiles)$/i;

const GRID = /^(?:grid|tiles?|layout|grid_?size|tile_?layout)$/i;
const SIDES = /^([1-8]) ?[x×*:,] ?([1-8])$/i;

/** The maximum number of images of one call. */
const MAX_TIMES = 4;

/** The fix for a field that selects the part of a file for a preview, or the number of images. undefined for other fields. */
export function previewFieldFix({ key, value: sides, parent }: SentField): Edits | undefined {
  const grid = GRID.test(key) ? SIDES.exec(stringOf(sides)) : null;
  if (grid !== null && !('columns' in parent || 'rows' in parent))
    return sendMembers({ columns: Number(grid[1]), rows: Number(grid[2]) });
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
  return sendMember('at', timesBetween(start ?? 0, end, count));
}

/** The columns and rows that show this number of images. */
function gridFix(count: number | undefined, parent: object): Edits | undefined {
  const isGrid =
    count !== undefined &&
    Number.isInteger(count) &&
    count >= 1 &&
    count <= PREVIEW_BOUNDS.columns * PREVIEW_BOUNDS.rows;
  if (!isGrid || 'at' in parent || 'columns' in parent || 'rows' in parent) return undefined;
  const columns = Math.ceil(Math.sqrt(count));
  return sendMembers({ columns, rows: Math.ceil(count / columns) });
}

/** Times at equal distances in a part, without its end, because the next part may begin there. A part without an end has only its start. */
function timesBetween(start: number, end: number | undefined, count = MAX_TIMES): readonly number[] {
  if (end === undefined || end <= start) return [start];
  const times = Math.max(1, Math.min(MAX_TIMES, Math.floor(count)));
  return Array.from({ length: times }, (_, i) => Number((start + (i * (end - start)) / times).toFixed(3)));
}
