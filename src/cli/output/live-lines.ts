import textWidth from 'fast-string-truncated-width';
import type { Screen } from './progress-display.ts';

/** The lines at the bottom of a terminal that change. */
export interface LiveLines {
  /** Replaces the lines. Each must be narrower than the terminal, which would else break it into two. */
  draw(lines: readonly string[]): void;
  /** Removes the lines, lets `write` print lines that stay, and draws the live ones again below them. */
  above(write: () => void): void;
  /** Removes the lines. */
  close(): void;
}

const ESCAPE = '\u001b[';
/** Synchronised output: a terminal that supports the mode shows the change at once, and any other ignores the mode. */
const [BEGIN, END] = [`${ESCAPE}?2026h`, `${ESCAPE}?2026l`];

/** @param screen A terminal. Its size may change at any time. */
export function liveLines(screen: Screen): LiveLines {
  let shown: readonly string[] = [];
  let shownColumns = 0;
  const columns = (): number => Math.max(screen.columns ?? 80, 1);

  /** Removes what is shown. A terminal that became narrower has broken lines into several rows. */
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
