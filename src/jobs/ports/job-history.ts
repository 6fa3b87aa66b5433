import type { FailureCode } from '../../domain/failure.ts';
import type { JobOutcome } from './job-claims.ts';

/** What happened to jobs. `STARTED`: the first attempt of a job began. The others but `ACCEPTED`: a job ended so. */
export type CountedEvent = 'ACCEPTED' | 'STARTED' | JobOutcome['status'];

/** How many jobs something happened to, in one step of time. */
export interface HistoryCount {
  /** When the step began, as ISO 8601 text. */
  readonly at: string;
  readonly event: CountedEvent;
  /** Why the jobs failed. Only with `FAILED`. */
  readonly code?: FailureCode;
  readonly jobs: number;
  /** How long the jobs were queued, in all. 0 unless `STARTED`. */
  readonly waitedMs: number;
}

/** The counts of one length of step. */
export interface HistoryCounts {
  readonly stepSeconds: number;
  readonly counts: readonly HistoryCount[];
}

/** How many jobs were accepted, started and ended, by time. The services of an installation add to the same counts. */
export interface JobHistoryStore {
  /** A crash may undo it. */
  add(counts: readonly HistoryCounts[]): Promise<void>;
  /** Returns the counts of the steps of this length that begin at `from` or later, oldest first. */
  read(stepSeconds: number, from: string): Promise<readonly HistoryCount[]>;
  /** Deletes the counts of the steps of this length that began before `from`. */
  forgetBefore(stepSeconds: number, from: string): Promise<void>;
}
