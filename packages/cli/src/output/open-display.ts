import { bytes, percentOfBytes } from './format.ts';
import { jobNote, percentOf } from './job-text.ts';
import {
  type BatchDisplay,
  firstTime,
  type ProgressDisplay,
  type ProgressForm,
  type Screen,
} from './progress-display.ts';

/** How progress is shown. `silent` also hides messages. Default: `bar` on a terminal, otherwise `lines`. */
type Form = ProgressForm | 'silent' | undefined;

/** Opens a progress display in the given form. Loads the library of progress bars only for `bar`. */
export async function openProgress(form: Form, screen: Screen = process.stderr): Promise<ProgressDisplay> {
  switch (form ?? (screen.isTTY ? 'bar' : 'lines')) {
    case 'bar':
      return (await import('./progress-bar.ts')).progressBar(screen);
    case 'lines':
      return progressLines(screen);
    case 'json':
      return progressJson(screen);
    case 'none':
      return { ...SILENT, say: (line) => void screen.write(`${line}\n`) };
    case 'silent':
      return SILENT;
  }
}

export async function openBatchDisplay(
  form: Form,
  total: number,
  screen: Screen = process.stderr,
): Promise<BatchDisplay> {
  switch (form ?? (screen.isTTY ? 'bar' : 'lines')) {
    case 'bar':
      return (await import('./board.ts')).openBoard(screen, total);
    case 'json':
      return plainDisplay((file) => progressJson(screen, { file }));
    case 'silent':
      return plainDisplay(() => SILENT);
    default: {
      const isNew = firstTime();
      const sayAs = (file: string) => (line: string) => {
        if (isNew(line)) screen.write(`${file}: ${line}\n`);
      };
      return plainDisplay((file) => ({ ...SILENT, say: sayAs(file) }));
    }
  }
}

const SILENT: ProgressDisplay = { bytes: () => {}, job: () => {}, say: () => {}, close: () => {} };

/** A display for logs and programs: it writes the progress of each file, but no totals. */
const plainDisplay = (start: BatchDisplay['start']): BatchDisplay => ({
  start,
  ended: () => {},
  print: (write) => write(),
  close: () => {},
});

/** The number of steps of one transfer in JSON. Each step that is reached writes a line. */
const STEPS = 20;

/** Writes progress for programs: one JSON object per line. `more`: members to add to each object, such as the file of a conversion. */
function progressJson(screen: Screen, more: Readonly<Record<string, string>> = {}): ProgressDisplay {
  const write = ({ event, ...rest }: Readonly<Record<string, unknown>>): void =>
    void screen.write(`${JSON.stringify({ event, ...more, ...rest })}\n`);
  let lastStep = '';
  return {
    bytes: (event, name, doneBytes, totalBytes) => {
      const step = `${event} ${name} ${Math.floor((STEPS * doneBytes) / totalBytes)}`;
      if (step !== lastStep) write({ event, name, doneBytes, totalBytes });
      lastStep = step;
    },
    job: ({ jobId, status, phase, progress, samples, speed, fps, etaSeconds }) =>
      write({ event: 'job', jobId, status, phase, progress, samples, speed, fps, etaSeconds }),
    say: (message) => write({ event: 'message', message }),
    close: () => {},
  };
}

/** Writes progress for logs: one line per change of state, and one per quarter of a step. */
function progressLines(screen: Screen): ProgressDisplay {
  let last = '';
  function line(key: string, percent: number, text: string): void {
    const quarter = `${key} ${Math.floor(percent / 25)}`;
    if (quarter === last) return;
    last = quarter;
    screen.write(`${text}\n`);
  }
  const percentText = (percent: number): string => `${Math.floor(percent)}%`.padStart(4);
  return {
    bytes: (step, name, done, total) => {
      const percent = percentOfBytes(done, total);
      line(`${step} ${name}`, percent, `${step.padEnd(9)} ${percentText(percent)}  ${name}  ${bytes(total)}`);
    },
    job: (job) =>
      line(
        job.status,
        job.status === 'PROCESSING' ? percentOf(job) : 0,
        `convert   ${percentText(percentOf(job))}  ${jobNote(job)}`,
      ),
    say: (text) => void screen.write(`${text}\n`),
    close: () => {},
  };
}
