import { type BatchDisplay, messagesOnce } from './batch-display.ts';
import { type BoardRow, boardLines } from './board-lines.ts';
import { jobNote, percentOf } from './job-note.ts';
import { liveLines } from './live-lines.ts';
import type { Screen } from './progress-display.ts';
import { bytes } from './quantities.ts';

const FRAME_MS = 100;

/** Shows a line for each conversion that runs, at the bottom of the terminal, for `total` conversions. */
export function openBoard(screen: Screen, total: number): BatchDisplay {
  const live = liveLines(screen);
  const rows = new Map<string, BoardRow>();
  const messages = messagesOnce();
  const startedAt = performance.now();
  let done = 0;
  let failed = 0;
  const draw = (): void => {
    const { columns = 80, rows: height = 24 } = screen;
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    live.draw(boardLines([...rows.values()], { total, done, failed, seconds }, { columns, rows: height }));
  };
  const timer = setInterval(draw, FRAME_MS);
  // Before the next frame, a terminal that became narrower would show broken lines.
  screen.on('resize', draw);
  draw();
  return {
    start(file) {
      const show = (percent: number, note: string): void => void rows.set(file, { file, percent, note });
      show(0, 'starting');
      return {
        bytes: (step, _name, doneBytes, totalBytes) =>
          show(totalBytes === 0 ? 100 : (100 * doneBytes) / totalBytes, `${step} ${bytes(totalBytes)}`),
        job: (job) => show(percentOf(job), jobNote(job)),
        say: (line) => {
          if (messages.isNew(line)) live.above(() => screen.write(`${file}: ${line}\n`));
        },
        close: () => void rows.delete(file),
      };
    },
    ended: (hasFailed) => {
      if (hasFailed) failed += 1;
      else done += 1;
    },
    print: live.above,
    repeated: messages.repeated,
    close: () => {
      clearInterval(timer);
      screen.off('resize', draw);
      live.close();
    },
  };
}
