import { Problem } from '../../domain/problem.ts';
import type { ToolContext } from '../tool.ts';

/** The id that the arguments of a call have under a name. */
const idIn = (args: unknown, name: string): string | undefined => {
  const value: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, name) : undefined;
  return typeof value === 'string' ? value : undefined;
};

/**
 * Replaces the problem of an unknown job by one that says that its id is that of a batch, and the other way round. Returns any other
 * error as it is.
 */
export async function withOtherId(
  error: unknown,
  args: unknown,
  { deps, call: { caller } }: Pick<ToolContext, 'deps' | 'call'>,
): Promise<unknown> {
  const isJob = error instanceof Problem && error.code === 'JOB_NOT_FOUND';
  if (!(error instanceof Problem) || !(isJob || error.code === 'BATCH_NOT_FOUND')) return error;
  const name = isJob ? 'jobId' : 'batchId';
  const id = idIn(args, name);
  if (id === undefined) return error;
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
