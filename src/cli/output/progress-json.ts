import type { ProgressDisplay, Screen } from './progress-display.ts';

/** The number of lines for one transfer. */
const STEPS = 20;

/** Writes progress for programs: one JSON object per line. `more`: members of each, such as the file of a conversion. */
export function progressJson(screen: Screen, more: Readonly<Record<string, string>> = {}): ProgressDisplay {
  const write = ({ event, ...rest }: Readonly<Record<string, unknown>>): void =>
    void screen.write(`${JSON.stringify({ event, ...more, ...rest })}\n`);
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
