import { posix } from 'node:path';
import type { TelecineClient } from '../../../client/client.ts';
import { hasEnded } from '../../../client/wait.ts';
import type { JobView } from '../../../wire/job.ts';
import { serverPath } from './file-location.ts';

/** A service that is gone must not hold up the end of a command for longer. */
const WITHIN_MS = 20_000;

/** What a command leaves on the service when it ends. */
export interface ServerLeftovers {
  /** The job, where there is or may be one. */
  readonly job?: (() => Promise<string>) | undefined;
  /** In the media root, made for this command alone; it goes once it is empty. undefined: there is none. */
  readonly folder: string | undefined;
  /** Files in it. */
  readonly files: readonly string[];
  /** What a job's outputs begin with that are to be deleted too. */
  readonly outputsIn?: string | undefined;
}

/** Ends the job where it still runs, and deletes the files; a sentence for each thing that could not be done. */
export async function cleanUp(client: TelecineClient, leftovers: ServerLeftovers): Promise<readonly string[]> {
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
    await trying(`${serverPath(path)} may still be there`, () => client.removeFile(path, { signal }));
  const { folder } = leftovers;
  for (const path of folder === undefined ? [] : foldersToRemove(folder, files))
    await trying(`${serverPath(path)} may still be there`, () => client.removeFolder(path, { signal }));
  return complaints;
}

async function ended(client: TelecineClient, jobId: string, signal: AbortSignal): Promise<JobView> {
  const job = await client.get(jobId, { signal });
  if (hasEnded(job)) return job;
  // It may end in this very moment: then there is nothing to cancel.
  await client.cancel(jobId, { signal }).catch(() => undefined);
  return client.wait(jobId, { signal });
}

/** The folder itself and all those in it that lead to a file, the inner ones first. */
export function foldersToRemove(folder: string, files: readonly string[]): readonly string[] {
  const found = new Set([folder]);
  for (const file of files)
    for (let path = posix.dirname(file); path.startsWith(`${folder}/`); path = posix.dirname(path)) found.add(path);
  return [...found].toSorted((a, b) => b.length - a.length);
}
