import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_ATTEMPTS } from '../../../packages/contract/src/domain/failure.ts';
import type { JobView } from '../../../packages/contract/src/wire/job.ts';
import { isFinal } from '../../../scripts/lib/api.ts';
import type { Submission } from './workload.ts';

/** A submission and its job. */
export interface Entry {
  readonly submission: Submission;
  /** The Idempotency-Key that it was sent with. */
  readonly key?: string;
  /** The job id from the 202, or from a list of jobs if the 202 was lost. */
  jobId?: string;
  /** Whether a 202 arrived. From then on the job must exist. */
  promised: boolean;
  cancelRequested: boolean;
  /** The last view of the job. */
  job?: JobView;
  /** When the job was first seen finished, by `performance.now()`. */
  endSeenAt?: number;
}

/** The size of a file, and a text that differs for each file that is written. Undefined if there is none. */
export type StatFile = (path: string) => Promise<{ readonly sizeBytes: number; readonly version: string } | undefined>;

export const statOnDisk =
  (mediaRoot: string): StatFile =>
  async (path) => {
    const stats = await lstat(join(mediaRoot, path), { bigint: true }).catch(() => undefined);
    return stats && { sizeBytes: Number(stats.size), version: `inode ${stats.ino}, written ${stats.mtimeNs}` };
  };

/** What the service promised, what the soak saw, and every difference. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  readonly faults: string[] = [];
  /** Output files of completed jobs as first seen. */
  readonly #files = new Map<string, string>();
  readonly #statFile: StatFile;

  constructor(statFile: StatFile) {
    this.#statFile = statFile;
  }

  fault(what: string): void {
    this.faults.push(what);
  }

  sent(submission: Submission, key?: string): Entry {
    const entry: Entry = { submission, promised: false, cancelRequested: false, ...(key === undefined ? {} : { key }) };
    this.entries.set(submission.tag, entry);
    return entry;
  }

  promised(entry: Entry, jobId: string): void {
    if (entry.jobId !== undefined && entry.jobId !== jobId)
      this.fault(`${entry.submission.tag}: the same key gave the jobs ${entry.jobId} and ${jobId}`);
    entry.jobId = jobId;
    entry.promised = true;
  }

  /** Accepted jobs that were not yet seen finished. */
  open(): readonly Entry[] {
    return [...this.entries.values()].filter(({ promised, job }) => promised && !(job && isFinal(job)));
  }

  /** Records a job from the reply to a request sent at `sentAt` (`performance.now()`). */
  async see(job: JobView, sentAt: number): Promise<void> {
    const entry = this.entries.get(job.llmId ?? '');
    if (entry === undefined) return this.fault(`job ${job.jobId} was never submitted`);
    const { tag } = entry.submission;
    if (entry.jobId !== undefined && entry.jobId !== job.jobId)
      return this.fault(`${tag} became two jobs: ${entry.jobId} and ${job.jobId}`);
    const before = entry.job;
    // Ignore an older reply that arrives after one with the finished job.
    if (!isFinal(job) && sentAt < (entry.endSeenAt ?? 0)) return;
    entry.jobId = job.jobId;
    entry.job = job;
    if (before !== undefined && isFinal(before)) {
      if (JSON.stringify(before) !== JSON.stringify(job))
        this.fault(`${tag} changed after it finished, from ${JSON.stringify(before)} to ${JSON.stringify(job)}`);
      return;
    }
    if (!isFinal(job)) return;
    entry.endSeenAt = performance.now();
    this.#checkOutcome(entry, job);
    if (job.status === 'COMPLETED') await this.#recordFiles(entry, job);
  }

  /** Records all jobs after a restart. */
  async seeAll(jobs: readonly JobView[], promisedBefore: readonly Entry[], sentAt: number): Promise<void> {
    for (const job of jobs) await this.see(job, sentAt);
    const listed = new Set(jobs.map(({ jobId }) => jobId));
    for (const { jobId, submission } of promisedBefore)
      if (jobId !== undefined && !listed.has(jobId))
        this.fault(`${submission.tag} got a 202, but job ${jobId} is missing`);
  }

  #checkOutcome({ submission, cancelRequested }: Entry, { status, error, attempt }: JobView): void {
    if (status === 'CANCELLED' && !cancelRequested) this.fault(`${submission.tag} was cancelled without a request`);
    if (status !== 'FAILED' || error === undefined || submission.mayFailWith.includes(error.code)) return;
    if (error.code === 'WORKER_LOST' && attempt === MAX_ATTEMPTS) return;
    this.fault(
      `${submission.tag} (${submission.request.output}) failed at attempt ${attempt}: ${JSON.stringify(error)}`,
    );
  }

  async #recordFiles({ submission }: Entry, { outputs = [] }: JobView): Promise<void> {
    if (submission.output === 'replaced by others') return;
    for (const { path, sizeBytes } of outputs) {
      const seen = await this.#statFile(path);
      if (seen === undefined || seen.sizeBytes !== sizeBytes)
        this.fault(
          `${submission.tag} is complete, but ${path} is ${seen ? `${seen.sizeBytes} bytes long` : 'missing'}`,
        );
      else if (this.#files.has(path)) this.fault(`${path} was completed twice`);
      else this.#files.set(path, seen.version);
    }
  }

  /** Checks that no output changed after its job completed. */
  async checkFiles(): Promise<void> {
    for (const [path, version] of this.#files)
      if ((await this.#statFile(path))?.version !== version) this.fault(`${path} changed after its job completed`);
  }
}
