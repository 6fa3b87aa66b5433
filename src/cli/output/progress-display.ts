import type { JobView } from '../../wire/job.ts';

/** Shows the progress of a command. */
export interface ProgressDisplay {
  /** Progress of an upload or download. */
  bytes(step: 'upload' | 'download', name: string, done: number, total: number): void;
  job(job: JobView): void;
  /** Prints a message. */
  say(line: string): void;
  /** Call it when the command ends. */
  close(): void;
}

export const PROGRESS_FORMS = ['bar', 'lines', 'json', 'none'] as const;
export type ProgressForm = (typeof PROGRESS_FORMS)[number];

/** The stream for progress. It is standard error, so that standard output contains only results. */
export type Screen = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};
