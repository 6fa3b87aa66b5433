import type { JobView } from '../../wire/job.ts';

/** Shows what a command is doing. */
export interface ProgressDisplay {
  /** Progress of an upload or download. */
  bytes(step: 'upload' | 'download', name: string, done: number, total: number): void;
  job(job: JobView): void;
  /** Prints a message. */
  say(line: string): void;
  /** Call once nothing more follows. */
  close(): void;
}

export const PROGRESS_FORMS = ['bar', 'lines', 'json', 'none'] as const;
export type ProgressForm = (typeof PROGRESS_FORMS)[number];

/** The stream for progress: standard error, so that standard output holds only results. */
export type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean };
