import { Problem } from '@telecine/contract/domain/problem.ts';
import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import type { ToolContext } from '../tool.ts';

/**
 * If an unknown job id is the id of a batch, or an unknown batch id that of a job, returns an error that says so.
 * Returns other errors unchanged.
 */
export async function withOtherId(
  error: unknown,
  args: unknown,
  { deps, call: { caller } }: Pick<ToolContext, 'deps' | 'call'>,
): Promise<unknown> {
  const isJob = error instanceof Problem && error.code === 'JOB_NOT_FOUND';
  if (!(error instanceof Problem) || !(isJob || error.code === 'BATCH_NOT_FOUND') || !isMembers(args)) return error;
  const name = isJob ? 'jobId' : 'batchId';
  const id = args[name];
  if (typeof id !== 'string') return error;
  const other = isJob ? deps.jobs.findBatch(caller, id) : deps.jobs.get(caller, id);
  const isOther = await other.then(
    () => true,
    () => false,
  );
  if (!isOther) return error;
  const message = `${id} is the id of a ${isJob ? 'batch, which has several jobs' : 'job'}, not of a ${isJob ? 'job' : 'batch'}.`;
  const fix = `Call wait_for_job with ${JSON.stringify({ [isJob ? 'batchId' : 'jobId']: id })}.`;
  return new Problem(error.code, message, {
    errors: [{ field: `/${name}`, code: error.code, message, fix }],
    cause: error,
  });
}
