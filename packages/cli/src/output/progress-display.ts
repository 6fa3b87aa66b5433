import type { JobView } from '@telecine/contract/wire/job.ts';

export interface ProgressDisplay {
  bytes(step: 'upload' | 'download', name: string, done: number, total: number): void;
  job(job: JobView): void;
  say(line: string): void;
  /** Call it when the command ends. */
  close(): void;
}

export const PROGRESS_FORMS = ['bar', 'lines', 'json', 'none'] as const;
export type ProgressForm = (typeof PROGRESS_FORMS)[number];

/** The stream for progress: standard error. Standard output then contains only results. */
export type Screen = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Shows the progress of several conversions that run at the same time. */
export interface BatchDisplay {
  /** Starts to show a conversion. `close` of the result removes it. Does not repeat a message that another conversion has printed. */
  start(file: string): ProgressDisplay;
  /** Counts a finished conversion. */
  ended(hasFailed: boolean): void;
  /** Lets `write` print lines that stay above the display. */
  print(write: () => void): void;
  close(): void;
}

/** Returns whether a message is printed for the first time: many conversions with the same options produce the same warnings. */
export function firstTime(): (line: string) => boolean {
  const printed = new Set<string>();
  return (line) => {
    const isNew = !printed.has(line);
    printed.add(line);
    return isNew;
  };
}
