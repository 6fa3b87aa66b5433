import { styleText } from 'node:util';
import textWidth from 'fast-string-truncated-width';
import { clock } from './quantities.ts';

/** A conversion that runs. */
export interface BoardRow {
  readonly file: string;
  /** Of the current step. */
  readonly percent: number;
  /** What it does now: `upload`, or the speed and the time that is left. It may contain styles. */
  readonly note: string;
}

/** The numbers of all conversions. */
export interface BoardCounts {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly seconds: number;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

const BAR = 16;
const NOTE = 18;
/** `  45%  `, the percentage with its spaces. */
const PERCENT = 7;
/** The part of a name that a narrow terminal still shows. */
const NAME = 12;

const ELLIPSIS = '…';

/** A text of at most `width` columns. */
export function cutText(text: string, width: number): string {
  const { index, ellipsed } = textWidth(text, { limit: Math.max(width, 0), ellipsis: ELLIPSIS, ellipsisWidth: 1 });
  return `${text.slice(0, index)}${ellipsed ? ELLIPSIS : ''}`;
}

/**
 * The lines of a board: one for each conversion that runs, and a last one with the numbers. There are fewer lines than the
 * terminal has rows, and each is narrower than its columns. Pure.
 */
export function boardLines(
  rows: readonly BoardRow[],
  counts: BoardCounts,
  { columns, rows: height }: Size,
): readonly string[] {
  // The last column stays free: a terminal may go to the next row after it.
  const width = Math.max(columns - 1, 1);
  // A row for the last line, and one for the shell before it.
  const room = Math.max(height - 2, 0);
  const shown = rows.length <= room ? rows : rows.slice(0, Math.max(room - 1, 0));
  const hidden = rows.length - shown.length;
  return [
    ...shown.map((row) => rowLine(row, width)),
    ...(hidden > 0 && room > 0 ? [cutText(`and ${hidden} more`, width)] : []),
    cutText(countsText(rows.length, counts), width),
  ];
}

/** The percentage comes first when there is no room for all, then the name, the bar and the note. */
function rowLine({ file, percent, note }: BoardRow, width: number): string {
  const spare = width - PERCENT - NAME;
  const bar = Math.max(0, Math.min(BAR, spare));
  const hasNote = spare - bar >= NOTE + 2;
  const full = Math.round((Math.min(Math.max(percent, 0), 100) / 100) * bar);
  const line = styleText('green', '━'.repeat(full)) + styleText('dim', '─'.repeat(bar - full));
  const percentText = `${Math.floor(percent)}%`.padStart(5).padEnd(PERCENT);
  const noteText = hasNote ? `${note}${' '.repeat(Math.max(NOTE - textWidth(note).width, 0))}  ` : '';
  const used = bar + PERCENT + textWidth(noteText).width;
  // A terminal of a few columns shows a part of the percentage.
  return used >= width
    ? cutText(percentText.trim(), width)
    : `${line}${percentText}${noteText}${cutText(file, width - used)}`;
}

function countsText(running: number, { total, done, failed, seconds }: BoardCounts): string {
  const waiting = total - done - failed - running;
  return [
    `${done} of ${total} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${running} running`,
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    clock(seconds),
  ].join('  ');
}
