import type { Job } from '../domain/job.ts';
import { nextTurn } from '../domain/steps.ts';
import { fairSlots } from './fair-slots.ts';
import type { JobSize, JobStore } from './ports/job-store.ts';

/** The stored bytes of the jobs of one step, which takes about 1 ms. A larger job has a step of its own. */
const STEP_BYTES = 64 * 1024;

/** The most jobs of one step. */
const STEP_JOBS = 50;

/** How many clients take steps at the same time. On PostgreSQL, a step takes a connection. */
const CLIENTS_AT_ONCE = 4;

/**
 * Runs one step of a long read, in a turn of the event loop of its own. Each client takes one step at a time, whatever it has asked
 * for, and clients take turns. Rejects with the reason of `signal` when it is aborted.
 */
export type ReadStep = <T>(clientId: string, signal: AbortSignal, step: () => Promise<T>) => Promise<T>;

/** Creates the steps. All long reads of a process share them. */
export function readSteps(): ReadStep {
  const slots = fairSlots({ slots: CLIENTS_AT_ONCE, perClient: 1 });
  return (clientId, signal, step) =>
    slots(clientId, signal, async () => {
      await nextTurn();
      return step();
    });
}

/**
 * Creates turns for long replies that are made in one piece. Each client makes one at a time: otherwise, the parts of many would be
 * in memory together, because the steps of different replies take turns. Clients do not wait for each other, because a
 * turn lasts for all steps of a reply. A reply is about a megabyte, and `reserve` limits those of all clients.
 */
export const replyTurns = (): ReadStep => fairSlots({ slots: Number.POSITIVE_INFINITY, perClient: 1 });

/** What the caller of a long read adds. */
export interface LongReadOptions {
  /** Ends the read while it waits for its turn or for its next step. */
  readonly hangUp?: AbortSignal;
  /** Called with what is stored of the jobs, before they are read. It throws if there is no memory for them. */
  readonly reserve?: (sizes: readonly JobSize[]) => void;
}

/** Splits jobs into those that are read together, in their order. */
export function stepsOf(sizes: readonly JobSize[]): readonly (readonly string[])[] {
  const steps: string[][] = [];
  let [current, bytes]: [string[], number] = [[], 0];
  for (const job of sizes) {
    if (current.length > 0 && (bytes + job.bytes > STEP_BYTES || current.length === STEP_JOBS))
      [current, bytes] = [[], 0];
    if (current.length === 0) steps.push(current);
    current.push(job.jobId);
    bytes += job.bytes;
  }
  return steps;
}

/** Reads jobs for a client in their order, each step when it is asked for. Jobs that were deleted since are left out. */
export async function* readInSteps(
  { jobs, step }: { readonly jobs: Pick<JobStore, 'getMany'>; readonly step: ReadStep },
  clientId: string,
  sizes: readonly JobSize[],
  signal = NEVER,
): AsyncGenerator<readonly Job[], void> {
  for (const jobIds of stepsOf(sizes)) yield await step(clientId, signal, () => readInOrder(jobs, jobIds));
}

/** The signal of a step that nothing aborts. */
export const NEVER = new AbortController().signal;

async function readInOrder(jobs: Pick<JobStore, 'getMany'>, jobIds: readonly string[]): Promise<readonly Job[]> {
  const found = new Map((await jobs.getMany(jobIds)).map((job) => [job.jobId, job]));
  return jobIds.flatMap((jobId) => found.get(jobId) ?? []);
}
