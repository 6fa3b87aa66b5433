import type { WorkerRecord } from './ports.ts';

/** How many ordinary jobs workers run at the same time, without those that take no more jobs. */
export const slotsOf = (workers: readonly WorkerRecord[]): number =>
  workers
    .filter(({ state, drainRequestedAt }) => state === 'running' && drainRequestedAt === undefined)
    .reduce((sum, { concurrency }) => sum + concurrency, 0);
