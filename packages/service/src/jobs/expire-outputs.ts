import { randomUUID } from 'node:crypto';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { JobChangeSink } from './job-changes.ts';
import type { ClientContext } from './ports/ffmpeg.ts';
import type { ExpiredJob, OutputExpiries } from './ports/job-records.ts';
import type { Publishing } from './ports/media-store.ts';
import type { Transactions } from './ports/transactions.ts';

interface Lease {
  readonly name: string;
  readonly holder: string;
}

export interface ExpireOutputsDeps {
  readonly transactions: Transactions;
  readonly expiries: OutputExpiries;
  readonly media: Pick<Publishing, 'removeOutputs'>;
  readonly stored: Pick<StoredFiles, 'add'>;
  readonly clientContextOf: (clientId: string) => Promise<Pick<ClientContext, 'root'>>;
  readonly changes: JobChangeSink;
  readonly now: () => Date;
  /** Ensures that only one process at a time removes outputs. Absent if only this process uses the database. */
  readonly leases?: {
    take(lease: Lease, seconds: number): Promise<boolean>;
    release(lease: Lease): Promise<void>;
  };
  /** An abort ends the round after the current job. */
  readonly stopping?: AbortSignal;
  /** Called with the error if the outputs of a job were not removed. */
  readonly onFailure: (jobId: string, error: unknown) => void;
  /**
   * Called after the outputs of a job were removed, and before the removal is stored. Tests kill the process at this
   * point.
   */
  readonly onRemoved?: () => void;
}

const BATCH = 20;

/** The number of files that are removed between two renewals of the lease. */
const FILES_AT_ONCE = 500;

/** The maximum number of jobs in one round. The next round handles the remaining jobs. */
const MAX_JOBS = 1000;

/**
 * The duration of the lease, which is renewed before each part of the outputs of a job. If the process that holds it is killed, other processes
 * wait this long.
 */
const LEASE_SECONDS = 60;

/** The delay before the next attempt to remove outputs that could not be removed. */
const RETRY_MS = 10 * 60_000;

/** Removes the outputs whose lifetime has ended, of up to `MAX_JOBS` jobs. Call this regularly. */
export async function expireOutputs(deps: ExpireOutputsDeps): Promise<void> {
  const lease = { name: 'expired outputs', holder: randomUUID() };
  const hasLease = async (): Promise<boolean> => (await deps.leases?.take(lease, LEASE_SECONDS)) ?? true;
  if (!(await hasLease())) return;
  try {
    for (let jobs = 0; jobs < MAX_JOBS; jobs += BATCH) {
      const due = await deps.expiries.due(deps.now().toISOString(), BATCH);
      let removed = 0;
      for (const job of due) {
        if (deps.stopping?.aborted || !(await hasLease())) return;
        if (await expire(deps, job, hasLease)) removed += 1;
      }
      // If none of these outputs could be removed, end the round, because the storage is probably down.
      if (due.length < BATCH || removed === 0) return;
    }
  } finally {
    await deps.leases?.release(lease).catch(() => {});
  }
}

/**
 * Removes the outputs of a job in parts, and then stores that they are removed. After a crash between these two steps,
 * the next round removes them again and finds no files. Resolves to false if they could not be removed.
 */
async function expire(
  deps: ExpireOutputsDeps,
  { jobId, clientId }: ExpiredJob,
  hasLease: () => Promise<boolean>,
): Promise<boolean> {
  try {
    const { root } = await deps.clientContextOf(clientId);
    for await (const files of inSteps(await deps.expiries.outputs(jobId), FILES_AT_ONCE)) {
      if (deps.stopping?.aborted || !(await hasLease())) return false;
      await deps.stored.add(clientId, { files: -(await deps.media.removeOutputs(root, files)) });
    }
  } catch (error) {
    deps.onFailure(jobId, error);
    await deps.expiries.postpone(jobId, new Date(deps.now().getTime() + RETRY_MS).toISOString());
    return false;
  }
  deps.onRemoved?.();
  if (await deps.transactions.run((tx) => deps.expiries.finish(tx, jobId)))
    deps.changes.publish({ kind: 'expired', jobId, clientId });
  return true;
}
