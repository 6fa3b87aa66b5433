import { callQuota } from '@telecine/contract/domain/call-quota.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { StoredFile, StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { ReadStep } from './job-reads.ts';

interface LargestFolder {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/** The counted files of a folder of a client, and what takes most of their space. */
export interface LargestFiles {
  readonly clientId: string;
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly largestFolders: readonly LargestFolder[];
  readonly largestFiles: readonly StoredFile[];
}

/** The number of files that are read in one step. Other requests have their turn after each step. */
const STEP_FILES = 5000;

/** How many sums may be in progress, because a million files take seconds. */
const SUMS = { perClient: 2, total: 8 };

interface LargestFilesDeps {
  readonly stored: Pick<StoredFiles, 'below'>;
  readonly step: ReadStep;
  readonly limitsOf: (clientId: string) => Promise<ClientLimits | undefined>;
}

/**
 * Creates the function that adds up the files of a folder. It throws INSUFFICIENT_SCOPE, NOT_FOUND, RATE_LIMITED, UNAVAILABLE. If
 * `hangUp` is aborted, it reads no further step and rejects with the reason of the abort.
 */
export function largestFilesReader(deps: LargestFilesDeps) {
  const quota = callQuota('sums of files', SUMS);
  return (caller: Caller, query: LargestFilesQuery, hangUp: AbortSignal): Promise<LargestFiles> =>
    quota(caller.clientId, () => readLargestFiles(deps, caller, query, hangUp));
}

async function readLargestFiles(
  deps: LargestFilesDeps,
  caller: Caller,
  { client: clientId = caller.clientId, folder: given = '', limit }: LargestFilesQuery,
  hangUp: AbortSignal,
): Promise<LargestFiles> {
  if (clientId !== caller.clientId) {
    if (!allows(caller, 'admin'))
      throw new Problem('INSUFFICIENT_SCOPE', 'Only an administrator sees the files of other clients.', {
        scopes: ['admin'],
      });
    if ((await deps.limitsOf(clientId)) === undefined)
      throw new Problem('NOT_FOUND', `There is no client "${clientId}".`);
  }
  const folder = given === '' || given.endsWith('/') ? given : `${given}/`;
  const largest = largestOf(folder, limit);
  let after: string | undefined;
  do {
    const page = await deps.step(caller.clientId, hangUp, () => deps.stored.below(clientId, folder, STEP_FILES, after));
    for (const file of page) largest.add(file);
    after = page.length === STEP_FILES ? page.at(-1)?.path : undefined;
  } while (after !== undefined);
  return { clientId, folder, ...largest.result() };
}

export interface LargestFilesQuery {
  readonly client?: string | undefined;
  readonly folder?: string | undefined;
  readonly limit: number;
}

/** Adds up files that are added in the order of their paths, so that it keeps only one folder and the largest ones in memory. */
export function largestOf(folder: string, limit: number) {
  const folders = topOf<LargestFolder>(limit);
  const files = topOf<StoredFile>(limit);
  let current: LargestFolder | undefined;
  let [count, bytes] = [0, 0];
  return {
    add({ path, bytes: size }: StoredFile): void {
      [count, bytes] = [count + 1, bytes + size];
      files.add({ path, bytes: size });
      const end = path.indexOf('/', folder.length);
      const child = end === -1 ? undefined : path.slice(0, end + 1);
      if (child !== current?.path) {
        if (current !== undefined) folders.add(current);
        current = child === undefined ? undefined : { path: child, files: 0, bytes: 0 };
      }
      if (current !== undefined) current = { ...current, files: current.files + 1, bytes: current.bytes + size };
    },
    result() {
      if (current !== undefined) folders.add(current);
      current = undefined;
      return { files: count, bytes, largestFolders: folders.list(), largestFiles: files.list() };
    },
  };
}

/** Keeps the `limit` items with the most bytes. Items with as many bytes stay in the order in which they were added. */
function topOf<T extends { readonly bytes: number }>(limit: number) {
  const items: T[] = [];
  return {
    add(item: T): void {
      if (items.length === limit && item.bytes <= (items.at(-1)?.bytes ?? 0)) return;
      const index = items.findLastIndex(({ bytes }) => bytes >= item.bytes) + 1;
      items.splice(index, 0, item);
      if (items.length > limit) items.pop();
    },
    list: (): readonly T[] => items,
  };
}
