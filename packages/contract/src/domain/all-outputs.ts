import type { Job, JobOutput } from './job.ts';
import { Problem } from './problem.ts';
import { nextTurn } from './steps.ts';

/** Reads up to `count` outputs of a job from the index `first` on. Empty if the job does not exist. */
export type ReadOutputs = (jobId: string, first: number, count: number) => Promise<readonly JobOutput[]>;

/**
 * Reads those outputs of a job among which the one at `path` is, if the job has it and it is not one of the first outputs,
 * which are in the record of the job. How many are read does not grow with the number of outputs.
 */
export type ReadOutputsNear = (jobId: string, path: string) => Promise<readonly JobOutput[]>;

/** The number of outputs that one turn of the event loop reads. Reading them takes about a millisecond. */
const OUTPUTS_AT_ONCE = 1000;

/**
 * Yields all outputs of a job in parts, each part in its own turn of the event loop. The first part is `outputs` of the job itself. Throws
 * JOB_NOT_FOUND if a client deletes the job meanwhile.
 */
export async function* allOutputs(
  read: ReadOutputs,
  { jobId, outputs = [], outputCount = 0 }: Pick<Job, 'jobId' | 'outputs' | 'outputCount'>,
): AsyncGenerator<readonly JobOutput[], void> {
  yield outputs;
  for (let first = outputs.length; first < outputCount; first += OUTPUTS_AT_ONCE) {
    await nextTurn();
    const part = await read(jobId, first, OUTPUTS_AT_ONCE);
    if (part.length === 0) throw new Problem('JOB_NOT_FOUND', `Job ${jobId} was deleted while its outputs were read.`);
    yield part;
  }
}
