import type { WorkerRecord } from './ports.ts';

/** Whether a worker claims jobs: it runs, and nobody has told it to drain. */
export const takesJobs = ({ state, drainRequestedAt }: Pick<WorkerRecord, 'state' | 'drainRequestedAt'>): boolean =>
  state === 'running' && drainRequestedAt === undefined;

/** How many ordinary jobs workers run at the same time, without those that take no more jobs. */
export const slotsOf = (workers: readonly WorkerRecord[]): number =>
  workers.filter(takesJobs).reduce((sum, { concurrency }) => sum + concurrency, 0);
