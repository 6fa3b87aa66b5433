import { posix } from 'node:path';
import { type TelecineClient, UNFINISHED } from '@telecine/client/telecine-client.ts';
import { hasEnded } from '@telecine/client/wait.ts';
import { DAY_MS } from '@telecine/contract/domain/quantity.ts';
import type { JobView } from '@telecine/contract/wire/job.ts';
import { pagesOf } from '../../session/pages.ts';
import { serverPath, UPLOADS, uploadDay } from './file-names.ts';

/** The time limit of the cleanup. An unreachable service must not delay the exit of a command. */
const TIMEOUT_MS = 20_000;

/** The job and the files that a command has created on the service. */
export interface ServerLeftovers {
  /** Returns the id of the job. Absent if the command cannot have created a job. */
  readonly job?: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** The folder of this command in the media root, if it has one. */
  readonly folder: string | undefined;
  /** The files in this folder. A subfolder ends with a slash and follows the files in it. */
  readonly files: readonly string[];
  /** The job's outputs whose paths begin with this prefix are deleted. */
  readonly outputsIn?: string | undefined;
}

/** Cancels the job if it still runs, and deletes the files. Returns one sentence for each failed step. */
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
  // Ignore errors, because the job may have finished already.
  await client.cancel(jobId, { signal }).catch(() => undefined);
  return client.wait(jobId, { signal });
}

/** Returns the folders to remove, innermost first: subfolders with one of the files, the folder, and its parents. */
export function foldersToRemove(folder: string, files: readonly string[]): readonly string[] {
  const found = new Set<string>();
  // Try the parents too. If another command uses a parent, it has content, and the service does not remove it.
  for (let path = folder; path !== '.'; path = posix.dirname(path)) found.add(path);
  for (const file of files)
    for (let path = posix.dirname(file); path.startsWith(`${folder}/`); path = posix.dirname(path)) found.add(path);
  return [...found].toSorted((a, b) => b.length - a.length);
}

/** Uploads older than this are removed. A command leaves its uploads behind if it used `--no-wait` or was killed. */
export const UPLOAD_DAYS = 7;

/** The time limit for removing old uploads, which must not delay a command for long. */
const OLD_UPLOADS_MS = 5000;
/** How many folders one command removes at most. */
const MAX_FOLDERS = 20;

/**
 * Deletes uploads of earlier commands after a week, unless an unfinished job may need them. Ignores errors, because a later command tries
 * again.
 */
export async function removeOldUploads(client: TelecineClient, now = Date.now()): Promise<void> {
  const signal = AbortSignal.timeout(OLD_UPLOADS_MS);
  try {
    const { files } = await client.listFiles(`${UPLOADS}/`, { signal });
    const oldest = now - UPLOAD_DAYS * DAY_MS;
    const old = files.map(({ path }) => path.replace(/\/$/, '')).filter((path) => (uploadDay(path) ?? now) < oldest);
    if (old.length === 0) return;
    const used = await pathsOfUnfinishedJobs(client, signal);
    for (const folder of old.filter((path) => !used.includes(`${path}/`)).slice(0, MAX_FOLDERS))
      await cleanUp(client, { folder, files: await entriesIn(client, `${folder}/`, signal) });
  } catch {
    // Ignore errors. For example, the client may lack the scope files:read.
  }
}

/** All unfinished jobs of this client with their inputs, as one JSON text to search. Throws if the jobs do not fit on one page. */
async function pathsOfUnfinishedJobs(client: TelecineClient, signal: AbortSignal): Promise<string> {
  const pages = await Promise.all(UNFINISHED.map((status) => client.list({ status, limit: 200, signal })));
  if (pages.some(({ nextCursor }) => nextCursor !== undefined)) throw new Error('There are too many unfinished jobs.');
  return JSON.stringify(pages);
}

/** Lists the paths in a folder and its subfolders, at most one page of each folder. The path of a folder follows the paths in it. */
async function entriesIn(client: TelecineClient, folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const { files } = await client.listFiles(folder, { signal });
  const found = files.map(async ({ type, path }) =>
    type === 'folder' ? [...(await entriesIn(client, path, signal)), path] : [path],
  );
  return (await Promise.all(found)).flat();
}

/** Lists all outputs of a job. The job record has only the first outputs. */
export async function requestAllOutputs(
  client: Pick<TelecineClient, 'outputs'>,
  { jobId, outputs = [], outputCount = 0 }: JobView,
  signal: AbortSignal,
): Promise<NonNullable<JobView['outputs']>> {
  if (outputCount <= outputs.length) return outputs;
  const all: NonNullable<JobView['outputs']>[number][] = [];
  for await (const page of pagesOf((cursor) => client.outputs(jobId, { signal, cursor }))) all.push(...page.outputs);
  return all;
}
