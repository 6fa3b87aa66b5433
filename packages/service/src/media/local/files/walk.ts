import { opendir } from 'node:fs/promises';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { StoredFile } from '@telecine/contract/domain/stored-files.ts';
import { lstatIfExists } from '../../errno-codes.ts';
import { diskProblem } from '../../file-problems.ts';
import { NAMES_AT_A_TIME } from '../paths/read-names.ts';
import { resolveIn } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { openFolder } from './list-folder.ts';
import { isLeftOut, type TreeFolder } from './list-tree.ts';

/** The path of the bin in a media root. */
export const BIN = [RESERVED_PREFIX, 'bin'] as const;

/** Lists the files of a media root, or of a folder that ends with a slash; see `FileStore.walk`. */
export async function* walk(boundary: RootBoundary, path: string, signal: AbortSignal) {
  const found = path === '' ? undefined : await resolveIn(boundary, path.slice(0, -1).split('/'));
  if (found !== undefined && (found.kind !== 'found' || !isInside(boundary, found.real))) return;
  yield* walkFolder(boundary, { real: found?.real ?? boundary.root, path }, signal);
}

/** How many files are yielded together at most: a folder can have millions. */
const BATCH = 1000;

/** Has one folder open at a time, and yields its files before those of the folders in it, one after the other. */
export async function* walkFolder(
  boundary: RootBoundary,
  first: TreeFolder,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredFile[]> {
  const folders = [first];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { real, path } = next;
    const inside: TreeFolder[] = [];
    let files: StoredFile[] = [];
    try {
      await using folder = await openFolder(boundary, real);
      for await (const entry of await opendir(folder.pathOf('.'), { bufferSize: NAMES_AT_A_TIME })) {
        signal.throwIfAborted();
        const [name, at] = [entry.name, `${real === '/' ? '' : real}/${entry.name}`];
        if (boundary.isReserved?.(at) === true || isOfService(real, name)) continue;
        if (entry.isDirectory()) inside.push({ real: at, path: `${path}${name}/` });
        const stats = entry.isFile() ? await lstatIfExists(folder.pathOf(name)) : undefined;
        if (stats?.isFile() === true) files.push({ path: `${path}${name}`, bytes: Number(stats.size) });
        if (files.length < BATCH) continue;
        yield files;
        files = [];
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isLeftOut(error)) throw diskProblem(first.path, 'adding up the files', error);
    }
    yield files;
    for (const folder of inside.reverse()) folders.push(folder);
  }
}

/** Whether an entry is the scratch of the service. Of its folder, only the bin belongs to clients. */
const isOfService = (folder: string, name: string): boolean =>
  folder.endsWith(`/${BIN[0]}`) ? name !== BIN[1] : name.startsWith(RESERVED_PREFIX) && name !== BIN[0];

/** Returns the size of all files in a folder. */
export async function sizeOfFolder(boundary: RootBoundary, folder: TreeFolder, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const files of walkFolder(boundary, folder, signal)) for (const file of files) bytes += file.bytes;
  return bytes;
}
