import type { ProgressDisplay, ProgressForm, Screen } from './progress-display.ts';

/** Opens a progress display in the given form. `silent` omits messages too. Imports only the code of that form. */
export async function openProgress(
  form: ProgressForm | 'silent' | undefined,
  screen: Screen = process.stderr,
): Promise<ProgressDisplay> {
  switch (form ?? (screen.isTTY ? 'bar' : 'lines')) {
    case 'bar':
      return (await import('./progress-bar.ts')).progressBar(screen);
    case 'lines':
      return (await import('./progress-lines.ts')).progressLines(screen);
    case 'json':
      return jsonLines(screen);
    case 'none':
      return { bytes: () => {}, job: () => {}, say: (line) => void screen.write(`${line}\n`), close: () => {} };
    case 'silent':
      return { bytes: () => {}, job: () => {}, say: () => {}, close: () => {} };
  }
}

/** The number of lines for one transfer. */
const STEPS = 20;

/** Writes progress for programs: one JSON object per line. */
function jsonLines(screen: Screen): ProgressDisplay {
  const write = (value: object): void => void screen.write(`${JSON.stringify(value)}\n`);
  let lastStep = '';
  return {
    bytes: (event, name, doneBytes, totalBytes) => {
      const step = `${event} ${name} ${Math.floor((STEPS * doneBytes) / totalBytes)}`;
      if (step !== lastStep) write({ event, name, doneBytes, totalBytes });
      lastStep = step;
    },
    job: ({ jobId, status, phase, progress, speed, fps, etaSeconds }) =>
      write({ event: 'job', jobId, status, phase, progress, speed, fps, etaSeconds }),
    say: (message) => write({ event: 'message', message }),
    close: () => {},
  };
}
