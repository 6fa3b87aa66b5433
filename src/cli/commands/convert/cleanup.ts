import { posix } from 'node:path';
import type { TelecineClient } from '../../../client/telecine-client.ts';
import { hasEnded } from '../../../client/wait.ts';
import type { JobView } from '../../../wire/job.ts';
import { requestAllOutputs } from './all-outputs.ts';
import { serverPath } from './file-location.ts';

/** The timeout of the cleanup, so that an unreachable service does not delay the exit of a command. */
const TIMEOUT_MS = 20_000;

/** The job and the files that a command has created on the service. */
export interface ServerLeftovers {
  /** Finds the id of the job. Absent if no job can exist. */
  readonly job?: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** The folder of this command in the media root, if it has one. It is deleted once it is empty. */
  readonly folder: string | undefined;
  /** The files in this folder and its folders (with a trailing slash). A folder comes after its content. */
  readonly files: readonly string[];
  /** The prefix of those outputs of the job that are deleted. */
  readonly outputsIn?: string | undefined;
}

/** Cancels the job if it still runs and deletes the files. Returns a sentence for each step that failed. */
export async function cleanUp(client: TelecineClient, leftovers: ServerLeftovers): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const failures: string[] = [];
  const attempt = async (what: string, act: () => Promise<void>): Promise<void> => {
    await act().catch((error: unknown) => {
      failures.push(`${what}: ${error instanceof Error ? error.message : error}`);
    });
  };
  const files = [...leftovers.files];
  await attempt('The job may still run', async () => {
    const jobId = await leftovers.job?.(signal);
    if (jobId === undefined) return;
    const job = await endJob(client, jobId, signal);
    const { outputsIn } = leftovers;
    if (outputsIn !== undefined)
      files.push(
        ...(await requestAllOutputs(client, job, signal))
          .map(({ path }) => path)
          .filter((path) => path.startsWith(outputsIn)),
      );
  });
  for (const path of files)
    await attempt(`${serverPath(path)} may still be there`, () => client.removeFile(path, { signal }));
  const { folder } = leftovers;
  for (const path of folder === undefined ? [] : foldersToRemove(folder, files))
    await attempt(`${serverPath(path)} may still be there`, () => client.removeFolder(path, { signal }));
  return failures;
}

async function endJob(client: TelecineClient, jobId: string, signal: AbortSignal): Promise<JobView> {
  const job = await client.get(jobId, { signal });
  if (hasEnded(job)) return job;
  // Ignore errors: the job may have finished meanwhile.
  await client.cancel(jobId, { signal }).catch(() => undefined);
  return client.wait(jobId, { signal });
}

/** The folder, those subfolders that contain one of the files, and the folders above it, innermost first. */
export function foldersToRemove(folder: string, files: readonly string[]): readonly string[] {
  const found = new Set<string>();
  // Other commands may use the folders above it. A folder that is not empty stays.
  for (let path = folder; path !== '.'; path = posix.dirname(path)) found.add(path);
  for (const file of files)
    for (let path = posix.dirname(file); path.startsWith(`${folder}/`); path = posix.dirname(path)) found.add(path);
  return [...found].toSorted((a, b) => b.length - a.length);
}
