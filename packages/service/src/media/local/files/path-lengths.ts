import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import { MAX_PATH_BYTES, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { DENIED } from '../../errno-codes.ts';
import { pathsTooLong, tooManyToRead } from '../../file-problems.ts';
import { isGone, openDirectory } from '../../scratch/directory-handle.ts';
import { NAMES_AT_A_TIME } from '../paths/read-names.ts';

/** The maximum number of entries that are read, because a client waits for it. A second on a local disk. */
const MAX_ENTRIES = 100_000;

/**
 * Throws INVALID_REQUEST about `/path` if the path of an entry below a folder would be too long for a request, once the folder is at `to`
 * instead of `from`, or if the folder has too many entries to read. Reads the folder only if `to` is longer. Has one folder open at a time, and does not follow symlinks. Leaves out folders
 * that the service may not read. If `signal` is aborted, rejects with the reason of the abort.
 *
 * @param real The absolute path of the folder, without symlinks.
 */
export async function requirePathsFit(
  real: string,
  from: MediaPath,
  to: MediaPath,
  { mostEntries = MAX_ENTRIES, signal = NEVER } = {},
): Promise<void> {
  const start = Buffer.byteLength(to);
  if (start <= Buffer.byteLength(from)) return;
  const folders = [{ real, bytes: start }];
  let entries = 0;
  for (const folder of folders)
    for await (const { name, isFolder } of entriesOf(folder.real)) {
      signal.throwIfAborted();
      entries += 1;
      if (entries > mostEntries) throw tooManyToRead(from, mostEntries);
      const bytes = folder.bytes + 1 + Buffer.byteLength(name);
      if (bytes > MAX_PATH_BYTES) throw pathsTooLong('path', bytes, MAX_PATH_BYTES);
      if (isFolder) folders.push({ real: join(folder.real, name), bytes });
    }
}

async function* entriesOf(real: string): AsyncGenerator<{ readonly name: string; readonly isFolder: boolean }> {
  try {
    await using folder = await openDirectory(real);
    for await (const entry of await opendir(folder.pathOf('.'), { bufferSize: NAMES_AT_A_TIME }))
      yield { name: entry.name, isFolder: entry.isDirectory() };
  } catch (error) {
    // Another program has removed or replaced the folder.
    if (!isGone(error) && !DENIED.has(errnoOf(error))) throw error;
  }
}
