import { link, rename, rmdir, unlink } from 'node:fs/promises';
import { errnoOf, ignoreErrno, NO_LINK } from '@telecine/contract/domain/errno.ts';
import type { FileFacts, ReplacedRecord } from '../../../files/ports.ts';
import { lstatIfExists, UNWRITABLE } from '../../errno-codes.ts';
import { allEnded, openDirectory, openPrivate } from '../../scratch/directory-handle.ts';
import { isSameFile } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { CONTENT, makeBin, writeData } from './bin-folder.ts';
import { linkNew } from './entries.ts';

/** A file in the bin that is about to be replaced. Dispose of it in the end: it has open folders. */
interface ReplacedFile extends AsyncDisposable {
  /**
   * Puts the file back, because nothing has replaced it. Resolves to false, and leaves it in the bin, if another file has
   * its path.
   */
  putBack(): Promise<boolean>;
  /**
   * Whether the path still has the file that is in the bin. Call this directly before a rename over the path: another
   * service on the same disk has no lock in common with this one, and may have replaced the file. (Linux can exchange two
   * names in one step, `RENAME_EXCHANGE`, but Node cannot.)
   */
  isCurrent(): Promise<boolean>;
  /**
   * Takes the file out of the bin, because `isCurrent` was false: whoever replaced or deleted it has decided whether to
   * keep it. A file that was moved to the bin is put back instead. Resolves to false like `putBack`.
   */
  drop(): Promise<boolean>;
}

/**
 * Gives a file a second name in the bin, so that a new file can replace the first name: the path is never without a file.
 * On a disk without hard links, moves the file. Throws file system errors, and then the file is at its path.
 */
export async function linkIntoBin(
  boundary: RootBoundary,
  { real, name }: { readonly real: string; readonly name: string },
  old: FileFacts,
  { entryIdOf, add, remove }: ReplacedRecord,
): Promise<ReplacedFile> {
  const entryId = entryIdOf(old);
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await openDirectory(real));
  const bin = opened.use(await makeBin(boundary));
  const entry = opened.use(await openPrivate(bin, entryId));
  const [file, content] = [folder.pathOf(name), entry.pathOf(CONTENT)];
  let isMoved = false;
  const statBoth = () => allEnded([lstatIfExists(content), lstatIfExists(file)]);
  const removeRecord = async (): Promise<true> => {
    await rmdir(bin.pathOf(entryId));
    await remove();
    return true;
  };
  const putBack = async (): Promise<boolean> => {
    const [kept, current] = await statBoth();
    if (kept !== undefined && current !== undefined) {
      if (!isSameFile(kept, current)) return false;
      await unlink(content);
    } else if (kept !== undefined && !(await linkNew({ folder: entry, path: content }, { folder, path: file })))
      return false;
    return removeRecord();
  };
  const isCurrent = async (): Promise<boolean> => {
    const [kept, current] = await statBoth();
    if (kept === undefined) return false;
    return isMoved ? current === undefined : current !== undefined && isSameFile(kept, current);
  };
  const drop = async (): Promise<boolean> => {
    if (isMoved) return putBack();
    await unlink(content).catch(ignoreErrno('ENOENT'));
    return removeRecord();
  };
  try {
    await bin.sync();
    await add(await writeData(boundary, bin), old);
    await link(file, content).catch(async (error: unknown) => {
      // An earlier attempt, which crashed, has linked it. `isCurrent` compares the two.
      if (errnoOf(error) === 'EEXIST') return;
      if (!NO_LINK.has(errnoOf(error))) throw error;
      await rename(file, content);
      isMoved = true;
    });
    await entry.sync();
  } catch (error) {
    // Ignore an error of this: what stays in the bin can be restored.
    await putBack().catch(() => false);
    throw error;
  }
  const handles = opened.move();
  return { putBack, isCurrent, drop, [Symbol.asyncDispose]: () => handles.disposeAsync() };
}

/** errno codes of a full disk, of a file on another disk than the bin, and of a media root in which the service cannot make a bin. */
export const UNKEEPABLE: readonly string[] = ['ENOSPC', 'EDQUOT', 'EXDEV', 'EBUSY', ...UNWRITABLE];

/** Keeps a file that an upload is about to replace. Resolves to undefined if the bin cannot take it: it is replaced all the same. */
export const keepReplaced = (...args: Parameters<typeof linkIntoBin>): Promise<ReplacedFile | undefined> =>
  linkIntoBin(...args).catch(ignoreErrno(...UNKEEPABLE));
