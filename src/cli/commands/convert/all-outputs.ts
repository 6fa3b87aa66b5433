import type { TelecineClient } from '../../../client/telecine-client.ts';
import type { JobView } from '../../../wire/job.ts';

/** Requests all outputs of a job, page by page. The job itself has only the first ones. */
export async function requestAllOutputs(
  client: Pick<TelecineClient, 'outputs'>,
  { jobId, outputs = [], outputCount = 0 }: JobView,
  signal: AbortSignal,
): Promise<NonNullable<JobView['outputs']>> {
  if (outputCount <= outputs.length) return outputs;
  const all: NonNullable<JobView['outputs']> = [];
  let cursor: string | undefined;
  do {
    const page = await client.outputs(jobId, { signal, ...(cursor !== undefined && { cursor }) });
    all.push(...page.outputs);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}
