import { errnoOf } from '@telecine/contract/domain/errno.ts';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { lstatIfExists, MISSING } from '../../errno-codes.ts';
import {
  type DirectoryHandle,
  DirectoryMoved,
  openDirectory,
  openNested,
  openPrivate,
} from '../../scratch/directory-handle.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';

/**
 * The folder of the bin in a media root. It is reserved, so no request can name what is in it. It stays when the bin is
 * empty: if it is missing, its disk is not mounted, and then nothing is known of the files of its entries.
 */
const BIN = `${RESERVED_PREFIX}-bin`;

/** The name of the deleted file or folder, in the folder of its entry. */
export const CONTENT = 'content';

/** The local engine's part of a `BinEntry` (`data`). */
interface Data {
  /** The media root, as an absolute path without symlinks. */
  readonly root: string;
  /**
   * The inode number of the bin. The folder of another bin at the same path has another one, such as one that was created
   * while the disk was not mounted. (If a disk has no stable inode numbers, an entry without files stays for a month.)
   */
  readonly bin: string;
}

export const readData = (data: string): Partial<Data> => (data === '' ? {} : (JSON.parse(data) as Partial<Data>));

const inodeOf = async (folder: DirectoryHandle): Promise<string> => String((await folder.stats()).ino);

/** Writes the data of an entry in a bin. */
export const writeData = async ({ root }: RootBoundary, bin: DirectoryHandle): Promise<string> =>
  JSON.stringify({ root, bin: await inodeOf(bin) } satisfies Data);

/** Returns whether an entry was stored in this bin, so that its files are certainly gone if they are not there. */
export const isBinOf = async (bin: DirectoryHandle, data: string): Promise<boolean> =>
  data === '' || readData(data).bin === (await inodeOf(bin));

/** Opens the bin of a media root, and creates it if it is missing. */
export async function makeBin({ root }: RootBoundary): Promise<DirectoryHandle> {
  await using folder = await openDirectory(root);
  const isNew = (await lstatIfExists(folder.pathOf(BIN))) === undefined;
  const bin = await openPrivate(folder, BIN).catch(throwUnusable);
  if (!isNew) return bin;
  try {
    await folder.sync();
    return bin;
  } catch (error) {
    await bin.close();
    throw error;
  }
}

/** Throws STORAGE_FAULT if something else is at the path of the bin, or if the bin belongs to another user. */
function throwUnusable(cause: unknown): never {
  if (errnoOf(cause) !== '') throw cause;
  throw new Problem('STORAGE_FAULT', 'The bin of your media root cannot be used. Ask the operator to check it.', {
    cause,
  });
}

/** Opens the bin of a media root. undefined: it is missing. Throws UNAVAILABLE if its disk does not reply. */
export const openBin = ({ root, disks }: RootBoundary): Promise<DirectoryHandle | undefined> =>
  disks.call(
    root,
    async () => {
      try {
        await using folder = await openDirectory(root);
        return await openNested(folder, [BIN]);
      } catch (error) {
        if (error instanceof DirectoryMoved || MISSING.has(errnoOf(error))) return undefined;
        throw error;
      }
    },
    { discard: (late) => late?.close() },
  );
