import { callQuota } from '@telecine/contract/domain/call-quota.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { isInBin, type StoredFile, type WalkFiles } from '@telecine/contract/domain/stored-files.ts';
import type { ClientContext } from './ports/ffmpeg.ts';

interface LargestFolder {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/** The files of a folder of a client, and what takes most of their space. */
export interface LargestFiles {
  readonly clientId: string;
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly largestFolders: readonly LargestFolder[];
  readonly largestFiles: readonly StoredFile[];
}

/** How many sums may be in progress, because a million files take seconds. */
const SUMS = { perClient: 2, total: 8 };

interface LargestFilesDeps {
  readonly walk: WalkFiles;
  readonly clientContextOf: (clientId: string) => Promise<Pick<ClientContext, 'root'>>;
  readonly limitsOf: (clientId: string) => Promise<ClientLimits | undefined>;
}

/**
 * Creates the function that adds up the files of a folder. It throws INSUFFICIENT_SCOPE, NOT_FOUND, RATE_LIMITED, UNAVAILABLE. If
 * `hangUp` is aborted, it reads no further folder and rejects with the reason of the abort.
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
  const { root } = await deps.clientContextOf(clientId);
  const folder = folderIn(root, given);
  const largest = largestOf(folder, limit);
  for await (const files of deps.walk(root, folder, hangUp))
    for (const file of files) if (!isInBin(file)) largest.add(file);
  return { clientId, folder, ...largest.result() };
}

/** Returns the path of a folder with a slash at its end. Empty: the whole media root. */
function folderIn(root: MediaRoot, given: string): string {
  const text = given.replace(/\/+$/, '');
  if (text === '') return '';
  const path = parseMediaPath(text, root.pathPrefix);
  if (typeof path !== 'string') throw invalidRequest([{ field: '/folder', ...path }]);
  return `${path}/`;
}

export interface LargestFilesQuery {
  readonly client?: string | undefined;
  readonly folder?: string | undefined;
  readonly limit: number;
}

/** Adds up files of which those of one folder come one after the other, so that it keeps only one folder and the largest ones in memory. */
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
