import type { TelecineClient } from '../../client/client.ts';
import { hasEnded } from '../../client/wait.ts';
import type { JobView } from '../../wire/job.ts';
import { onServer } from './place.ts';

/** A service that is gone must not hold up the end of a command for longer. */
const WITHIN_MS = 20_000;

/** What a command leaves on the service when it ends. */
export interface Leftovers {
  /** The job, where there is or may be one. */
  readonly job?: (() => Promise<string>) | undefined;
  /** Files of the media root. */
  readonly files: readonly string[];
  /** What a job's outputs begin with that are to be deleted too. */
  readonly outputsIn?: string | undefined;
}

/** Ends the job where it still runs, and deletes the files; a sentence for each thing that could not be done. */
export async function tidy(client: TelecineClient, leftovers: Leftovers): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const complaints: string[] = [];
  const trying = async (what: string, act: () => Promise<void>): Promise<void> => {
    await act().catch((error: unknown) => {
      complaints.push(`${what}: ${error instanceof Error ? error.message : error}`);
    });
  };
  const files = [...leftovers.files];
  await trying('The job may still run', async () => {
    const jobId = await leftovers.job?.();
    if (jobId === undefined) return;
    const { outputs = [] } = await ended(client, jobId, signal);
    const { outputsIn } = leftovers;
    if (outputsIn !== undefined)
      files.push(...outputs.map(({ path }) => path).filter((path) => path.startsWith(outputsIn)));
  });
  for (const path of files)
    await trying(`${onServer(path)} may still be there`, () => client.removeFile(path, { signal }));
  return complaints;
}

async function ended(client: TelecineClient, jobId: string, signal: AbortSignal): Promise<JobView> {
  const job = await client.get(jobId, { signal });
  if (hasEnded(job)) return job;
  // It may end in this very moment: then there is nothing to cancel.
  await client.cancel(jobId, { signal }).catch(() => undefined);
  return client.wait(jobId, { signal });
}
