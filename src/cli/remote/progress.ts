import type { JobView } from '../../wire/job.ts';

/** How a command tells what it is doing. */
export interface Progress {
  /** Bytes of a file on their way. */
  bytes(step: 'upload' | 'download', name: string, done: number, total: number): void;
  job(job: JobView): void;
  /** A sentence beside all that. */
  say(line: string): void;
  /** Nothing more follows. */
  close(): void;
}

export const PROGRESS = ['bar', 'lines', 'json', 'none'] as const;
export type ProgressForm = (typeof PROGRESS)[number];

/** Where progress is shown: standard error, so that standard output holds results alone. */
export type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Each form loads what it needs. */
export async function openProgress(form: ProgressForm | undefined, screen: Screen = process.stderr): Promise<Progress> {
  switch (form ?? (screen.isTTY ? 'bar' : 'lines')) {
    case 'bar':
      return (await import('./progress-bar.ts')).progressBar(screen);
    case 'lines':
      return (await import('./progress-lines.ts')).progressLines(screen);
    case 'json':
      return jsonLines(screen);
    case 'none':
      return { bytes: () => {}, job: () => {}, say: () => {}, close: () => {} };
  }
}

/** For programs: an object a line. */
function jsonLines(screen: Screen): Progress {
  const write = (value: object): void => void screen.write(`${JSON.stringify(value)}\n`);
  let percent = -1;
  return {
    bytes: (event, name, doneBytes, totalBytes) => {
      const now = Math.floor((100 * doneBytes) / totalBytes);
      if (now !== percent) write({ event, name, doneBytes, totalBytes });
      percent = now;
    },
    job: ({ jobId, status, phase, progress, speed, fps, etaSeconds }) =>
      write({ event: 'job', jobId, status, phase, progress, speed, fps, etaSeconds }),
    say: (message) => write({ event: 'message', message }),
    close: () => {},
  };
}
