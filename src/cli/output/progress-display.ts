import type { JobView } from '../../wire/job.ts';

/** How a command tells what it is doing. */
export interface ProgressDisplay {
  /** Bytes of a file on their way. */
  bytes(step: 'upload' | 'download', name: string, done: number, total: number): void;
  job(job: JobView): void;
  /** A sentence beside all that. */
  say(line: string): void;
  /** Nothing more follows. */
  close(): void;
}

export const PROGRESS_FORMS = ['bar', 'lines', 'json', 'none'] as const;
export type ProgressForm = (typeof PROGRESS_FORMS)[number];

/** Where progress is shown: standard error, so that standard output holds results alone. */
export type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean };
