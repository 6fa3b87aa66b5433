import { SingleBar } from 'cli-progress';
import { bar, bytes, percentOfBytes } from './format.ts';
import { jobNote, percentOf } from './job-text.ts';
import type { ProgressDisplay, Screen } from './progress-display.ts';

const WIDTH = 28;
const TITLE = 10;
/** The width of the percentage with the spaces around it. */
const PERCENT = 7;
/** The width of the note that a narrow terminal still shows, such as `5.2×  0:03 left`. */
const NOTE = 16;

/** Returns the width of the bar. It leaves room for the percentage. */
export const barWidth = (columns = 80): number => {
  const room = columns - TITLE - PERCENT;
  return Math.max(0, Math.min(WIDTH, room, Math.max(room - NOTE, 4)));
};

interface Payload {
  readonly title: string;
  readonly note: string;
}

/** Draws one progress bar for each step. */
export function progressBar(screen: Screen): ProgressDisplay {
  let shown: { readonly key: string; readonly bar: SingleBar } | undefined;

  /** Updates the bar. A new `key` starts a new bar below the last one. */
  function show(key: string, percent: number, payload: Payload): void {
    if (shown?.key !== key) {
      shown?.bar.stop();
      shown = { key, bar: newBar(screen) };
      shown.bar.start(100, percent, payload);
    }
    shown.bar.update(percent, payload);
  }
  const close = (): void => {
    shown?.bar.stop();
    shown = undefined;
  };
  return {
    bytes: (step, name, done, total) =>
      show(`${step} ${name}`, percentOfBytes(done, total), {
        title: step,
        note: `${name}  ${bytes(done)} of ${bytes(total)}`,
      }),
    job: (job) => show('convert', percentOf(job), { title: 'convert', note: jobNote(job) }),
    say: (line) => {
      close();
      screen.write(`${line}\n`);
    },
    close,
  };
}

const newBar = (screen: Screen): SingleBar =>
  new SingleBar({
    stream: screen,
    fps: 10,
    // Keep the cursor visible. A second Ctrl-C ends the process at once and would leave it hidden.
    hideCursor: false,
    format: (_options, { progress }, { title, note }: Payload) => {
      const width = barWidth(screen.columns);
      return `${title.padEnd(TITLE)}${bar(progress, width)} ${`${Math.floor(progress * 100)}%`.padStart(4)}  ${note}`;
    },
  });
