import textWidth from 'fast-string-truncated-width';
import { bar, bytes, clock, percentOfBytes } from './format.ts';
import { jobNote, percentOf } from './job-text.ts';
import { type BatchDisplay, firstTime, type Screen } from './progress-display.ts';

interface BoardRow {
  readonly file: string;
  readonly percent: number;
  /** The step or state, such as `upload`, or the speed and the remaining time. It may contain terminal styles. */
  readonly note: string;
}

interface BoardCounts {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly seconds: number;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

const BAR_WIDTH = 16;
const NOTE = 18;
/** The width of `  45%  `: the percentage with its spaces. */
const PERCENT = 7;
/** The minimum width of a file name. In a narrow terminal, the bar and the note give way to it. */
const NAME = 12;

const ELLIPSIS = '…';

/** Shortens a text to at most `width` columns. */
export function cutText(text: string, width: number): string {
  const { index, ellipsed } = textWidth(text, { limit: Math.max(width, 0), ellipsis: ELLIPSIS, ellipsisWidth: 1 });
  return `${text.slice(0, index)}${ellipsed ? ELLIPSIS : ''}`;
}

/**
 * Returns one line for each running conversion, and a last line with the totals. The lines leave the last row and column of the terminal
 * free. Pure.
 */
export function boardLines(
  rows: readonly BoardRow[],
  counts: BoardCounts,
  { columns, rows: height }: Size,
): readonly string[] {
  // Leave the last column free, because a terminal may start a new row after it.
  const width = Math.max(columns - 1, 1);
  // Leave one row for the last line, and one for the shell prompt.
  const room = Math.max(height - 2, 0);
  const shown = rows.length <= room ? rows : rows.slice(0, Math.max(room - 1, 0));
  const hidden = rows.length - shown.length;
  return [
    ...shown.map((row) => rowLine(row, width)),
    ...(hidden > 0 && room > 0 ? [cutText(`and ${hidden} more`, width)] : []),
    cutText(countsText(rows.length, counts), width),
  ];
}

/** Formats a row. In a narrow terminal, the percentage has priority, then the name, the bar and the note. */
function rowLine({ file, percent, note }: BoardRow, width: number): string {
  const spare = width - PERCENT - NAME;
  const barWidth = Math.max(0, Math.min(BAR_WIDTH, spare));
  const hasNote = spare - barWidth >= NOTE + 2;
  const percentText = `${Math.floor(percent)}%`.padStart(5).padEnd(PERCENT);
  const noteText = hasNote ? `${note}${' '.repeat(Math.max(NOTE - textWidth(note).width, 0))}  ` : '';
  const used = barWidth + PERCENT + textWidth(noteText).width;
  // A terminal of only a few columns shows the percentage alone, cut to its width.
  return used >= width
    ? cutText(percentText.trim(), width)
    : `${bar(percent / 100, barWidth)}${percentText}${noteText}${cutText(file, width - used)}`;
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

/** The lines at the bottom of a terminal that are redrawn. */
interface LiveLines {
  /** Replaces the lines. Each line must be narrower than the terminal, because the terminal would wrap it. */
  draw(lines: readonly string[]): void;
  /** Removes the lines and lets `write` print lines that stay. Then draws the removed lines again below. */
  above(write: () => void): void;
  close(): void;
}

const ESCAPE = '\u001b[';
/** The escape sequences of synchronised output: a terminal that supports them shows all changes at once. Others ignore them. */
const [BEGIN, END] = [`${ESCAPE}?2026h`, `${ESCAPE}?2026l`];

/** @param screen A terminal. Its size may change at any time. */
export function liveLines(screen: Screen): LiveLines {
  let shown: readonly string[] = [];
  let shownColumns = 0;
  const columns = (): number => Math.max(screen.columns ?? 80, 1);

  /** Returns the text that removes the drawn lines. If the terminal became narrower, it has wrapped some lines. */
  function erasure(): string {
    if (shown.length === 0) return '';
    const rows = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line).width / columns())), 0);
    return `\r${rows > 1 ? `${ESCAPE}${rows - 1}A` : ''}${ESCAPE}0J`;
  }
  function replace(lines: readonly string[], between?: () => void): void {
    screen.write(`${BEGIN}${erasure()}`);
    between?.();
    screen.write(`${lines.join('\n')}${END}`);
    shown = lines;
    shownColumns = columns();
  }
  return {
    draw: (lines) => {
      const isSame = lines.length === shown.length && lines.every((line, i) => line === shown[i]);
      if (!isSame || columns() !== shownColumns) replace(lines);
    },
    above: (write) => (shown.length === 0 ? write() : replace(shown, write)),
    close: () => {
      if (shown.length > 0) replace([]);
    },
  };
}

const FRAME_MS = 100;

/** Shows a line for each running conversion at the bottom of the terminal. `total`: the number of all conversions. */
export function openBoard(screen: Screen, total: number): BatchDisplay {
  const live = liveLines(screen);
  const rows = new Map<string, BoardRow>();
  const isNew = firstTime();
  const startedAt = performance.now();
  let done = 0;
  let failed = 0;
  const draw = (): void => {
    const { columns = 80, rows: height = 24 } = screen;
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    live.draw(boardLines([...rows.values()], { total, done, failed, seconds }, { columns, rows: height }));
  };
  const timer = setInterval(draw, FRAME_MS);
  // If the terminal became narrower, its lines are wrapped. Redraw them now and not at the next frame.
  screen.on('resize', draw);
  draw();
  return {
    start(file) {
      const show = (percent: number, note: string): void => void rows.set(file, { file, percent, note });
      show(0, 'starting');
      return {
        bytes: (step, _name, doneBytes, totalBytes) =>
          show(percentOfBytes(doneBytes, totalBytes), `${step} ${bytes(totalBytes)}`),
        job: (job) => show(percentOf(job), jobNote(job)),
        say: (line) => {
          if (isNew(line)) live.above(() => screen.write(`${file}: ${line}\n`));
        },
        close: () => void rows.delete(file),
      };
    },
    ended: (hasFailed) => {
      if (hasFailed) failed += 1;
      else done += 1;
    },
    print: live.above,
    close: () => {
      clearInterval(timer);
      screen.off('resize', draw);
      live.close();
    },
  };
}
