import { randomUUID } from 'node:crypto';
import type { RecountFiles } from '@telecine/contract/domain/stored-files.ts';
import type { JobChangeSink } from './job-changes.ts';
import type { ClientContext } from './ports/ffmpeg.ts';
import type { ExpiredOutputs, OutputExpiries } from './ports/job-records.ts';
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
  readonly recount: RecountFiles;
  readonly clientContextOf: (clientId: string) => Promise<Pick<ClientContext, 'root'>>;
  readonly changes: JobChangeSink;
  readonly now: () => Date;
  /** Lets one process at a time remove outputs. Absent if no other process has the database. */
  readonly leases?: {
    take(lease: Lease, seconds: number): Promise<boolean>;
    release(lease: Lease): Promise<void>;
  };
  /** Ends the round after the job that it works on. */
  readonly stopping?: AbortSignal;
  /** Receives the reason why outputs of a job were not removed. */
  readonly onFailure: (jobId: string, error: unknown) => void;
  /** Called after the outputs of a job were removed, and before that is stored. Tests end the process there. */
  readonly onRemoved?: () => void;
}

const BATCH = 20;

/** The most jobs of one round. The next one continues. */
const MAX_JOBS = 1000;

/** How long the lease of a killed process blocks others. Renewed before each job. */
const LEASE_SECONDS = 60;

/** When it is tried again to remove outputs after a failure. */
const RETRY_MS = 10 * 60_000;

/** Runs one round: removes the outputs of jobs that are due. Call it regularly. */
export async function expireOutputs(deps: ExpireOutputsDeps): Promise<void> {
  const lease = { name: 'expired outputs', holder: randomUUID() };
  const hasLease = async (): Promise<boolean> => (await deps.leases?.take(lease, LEASE_SECONDS)) ?? true;
  if (!(await hasLease())) return;
  try {
    for (let jobs = 0; jobs < MAX_JOBS; jobs += BATCH) {
      const due = await deps.expiries.due(deps.now().toISOString(), BATCH);
      let removed = 0;
      for (const outputs of due) {
        if (deps.stopping?.aborted || !(await hasLease())) return;
        if (await expire(deps, outputs)) removed += 1;
      }
      // If nothing could be removed, the storage is probably down.
      if (due.length < BATCH || removed === 0) return;
    }
  } finally {
    await deps.leases?.release(lease).catch(() => {});
  }
}

/** Removes outputs, and stores that. A crash in between repeats the removal, which then finds nothing of the job. */
async function expire(deps: ExpireOutputsDeps, { jobId, clientId, files }: ExpiredOutputs): Promise<boolean> {
  try {
    await deps.media.removeOutputs((await deps.clientContextOf(clientId)).root, files);
  } catch (error) {
    deps.onFailure(jobId, error);
    await deps.expiries.postpone(jobId, new Date(deps.now().getTime() + RETRY_MS).toISOString());
    return false;
  }
  await deps.recount(
    clientId,
    files.map(({ path }) => path),
  );
  deps.onRemoved?.();
  if (await deps.transactions.run((tx) => deps.expiries.finish(tx, jobId)))
    deps.changes.publish({ kind: 'expired', jobId, clientId });
  return true;
}
