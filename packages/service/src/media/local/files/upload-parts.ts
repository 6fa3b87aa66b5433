import { constants } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import type { Published, StoredUpload, UploadParts } from '../../../files/ports.ts';
import { rethrow } from '../../errno-codes.ts';
import { diskProblem, uploadGone } from '../../file-problems.ts';
import { eachReceived } from '../../received-bytes.ts';
import { type DirectoryHandle, isGone, openNested, openPrivate, syncAll } from '../../scratch/directory-handle.ts';
import { removeScratch, removeStagedFiles } from '../../scratch/scratch.ts';
import { factsOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import type { PrepareDeps } from '../publish/prepare.ts';
import type { IntendedFile } from '../publish/publish-state.ts';
import { narrowTo, statNewTarget, statTarget } from '../publish/target.ts';
import type { ChangesOf } from './change-queues.ts';
import {
  CONTENT,
  checkFreeSpace,
  FileReplaced,
  factsIn,
  publishUpload,
  SPACE_CHECK_BYTES,
  statPublished,
} from './publish-upload.ts';

interface PartsDeps extends PrepareDeps {
  readonly changesOf: ChangesOf;
  /** Returns the folder for the uploads. */
  folder(): Promise<DirectoryHandle>;
  boundaryOf(root: StoredUpload['root']): Promise<RootBoundary>;
  /** Bytes that must stay free on each disk to which an upload writes. */
  readonly minFreeBytes: number;
}

/** The local engine's part of an `UploadRecord` (`data`), '' until all bytes have arrived. */
interface Data {
  /** The file to publish. Absent until it is ready to be published. */
  readonly file?: IntendedFile;
}

/** How many times an upload is published while others create or remove its file or its folders. */
const MAX_ATTEMPTS = 10;

const WRITE_FLAGS = constants.O_WRONLY | constants.O_NOFOLLOW;

/** How often received bytes are flushed to disk and reported. */
const SAVE_MS = 1000;

/** Stores uploads on a disk. Each has a folder with one file. For publishing, this folder is the scratch folder. */
export function localParts(deps: PartsDeps): UploadParts {
  const { minFreeBytes } = deps;

  const boundaryOf = async ({ root, folder }: Pick<StoredUpload, 'root' | 'folder'>): Promise<RootBoundary> => {
    const boundary = await deps.boundaryOf(root);
    return folder === undefined ? boundary : narrowTo(boundary, folder);
  };

  /**
   * Opens the folder of an upload, runs `use`, and closes the folder. Creates the folder if the upload has no bytes: until the first are
   * saved, a crash of the machine can lose it.
   */
  const inFolder = async <T>(
    { uploadId, offsetBytes }: Omit<StoredUpload, 'data'>,
    use: (dir: DirectoryHandle) => Promise<T>,
  ) => {
    const parent = await deps.folder();
    const opening = offsetBytes === 0 ? openPrivate(parent, uploadId) : openNested(parent, [uploadId]);
    await using dir = await opening.catch(rethrow((error) => (isGone(error) ? uploadGone(error) : error)));
    return await use(dir);
  };
  const openContent = (dir: DirectoryHandle, { offsetBytes }: Omit<StoredUpload, 'data'>): Promise<FileHandle> =>
    open(dir.pathOf(CONTENT), WRITE_FLAGS | (offsetBytes === 0 ? constants.O_CREAT : 0), 0o600);
  const orProblem = <T>({ path }: Pick<StoredUpload, 'path'>, run: () => Promise<T>): Promise<T> =>
    run().catch(rethrow((error) => diskProblem(path, 'writing the file', error)));

  return {
    begin: (upload, check) =>
      orProblem(upload, async () => {
        const { path, sizeBytes } = upload;
        const current = await statNewTarget(await boundaryOf(upload), path);
        check(factsIn(path, current));
        const parent = await deps.folder();
        await checkFreeSpace([parent.pathOf('.'), current.target.real], sizeBytes ?? 0, minFreeBytes);
      }),

    append: async (upload, bytes, save) => {
      const { failure, ...stored } = await orProblem(upload, () =>
        inFolder(upload, async (dir) => {
          await using handle = await openContent(dir, upload);
          return await write(dir, handle, upload, bytes, save);
        }),
      );
      if (failure !== undefined) throw failure.error;
      return stored;
    },

    publish: (upload, { check, keepsReplaced = false, save }) =>
      orProblem(upload, async () => {
        const boundary = await boundaryOf(upload);
        const { path } = upload;
        return inFolder(upload, async (dir): Promise<Published> => {
          const { file: earlier } = JSON.parse(upload.data || '{}') as Data;
          const published = earlier && (await statPublished(dir, earlier));
          if (published !== undefined) return { file: factsOf(path, published), before: undefined };
          if (upload.offsetBytes === 0) await (await openContent(dir, upload)).close();
          const { real } = (await statTarget(boundary, path)).target;
          // A file is copied to another disk. The check at the start of the upload can be days old.
          if ((await stat(real)).dev !== Number((await dir.stats()).dev))
            await checkFreeSpace([real], upload.offsetBytes, minFreeBytes);
          const parent = await deps.folder();
          const onPrepared = async (file: IntendedFile): Promise<void> => {
            if (save === undefined) return;
            // The folders of the upload may be new.
            await syncAll([dir, parent]);
            await save({ offsetBytes: upload.offsetBytes, data: JSON.stringify({ file } satisfies Data) });
          };
          const complete = { boundary, path, check, dir, keepsReplaced, onPrepared };
          for (let attempt = 1; ; attempt += 1)
            try {
              // Staged files of an earlier attempt that failed would make this one fail.
              await removeStagedFiles(parent, upload.uploadId);
              return await publishUpload({ ...deps, runChange: deps.changesOf(upload) }, complete);
            } catch (error) {
              if (!(error instanceof FileReplaced) || attempt === MAX_ATTEMPTS) throw error;
            }
        });
      }),

    remove: async ({ uploadId }) => {
      await removeScratch(await deps.folder(), uploadId);
    },

    list: async () => readdir((await deps.folder()).pathOf('.')),
  };

  /**
   * Writes the bytes that arrive. If `bytes` throws, saves what has arrived and returns the error as `failure`. Leaves the end of a complete
   * file to `publish`.
   */
  async function write(
    dir: DirectoryHandle,
    handle: FileHandle,
    { offsetBytes, sizeBytes }: StoredUpload,
    bytes: AsyncIterable<Uint8Array>,
    onSaved: Parameters<UploadParts['append']>[2],
  ): Promise<{ readonly failure: { readonly error: unknown } | undefined; readonly offsetBytes: number }> {
    if ((await handle.stat()).size < offsetBytes) throw uploadGone();
    // Remove bytes that were written before a crash but not reported as stored.
    await handle.truncate(offsetBytes);
    let position = offsetBytes;
    let saved = offsetBytes;
    let savedAt = performance.now();
    // Start at the limit, so that each request checks the free space before its first bytes.
    let uncheckedBytes = SPACE_CHECK_BYTES;
    const save = async (): Promise<void> => {
      if (position === saved) return;
      const offset = position;
      await handle.datasync();
      // The file and its folder are new.
      if (saved === 0) await syncAll([dir, await deps.folder()]);
      await onSaved({ offsetBytes: offset });
      saved = offset;
      savedAt = performance.now();
    };
    const add = async (chunk: Uint8Array): Promise<void> => {
      uncheckedBytes += chunk.length;
      if (uncheckedBytes >= SPACE_CHECK_BYTES) {
        uncheckedBytes = 0;
        await checkFreeSpace([dir.pathOf('.')], chunk.length, minFreeBytes);
      }
      for (let from = 0; from < chunk.length; ) {
        const { bytesWritten } = await handle.write(chunk, from, chunk.length - from, position);
        from += bytesWritten;
        position += bytesWritten;
      }
      if (performance.now() - savedAt >= SAVE_MS) await save();
    };
    const failure = await eachReceived(bytes, add).catch(async (error: unknown) => {
      // Save the bytes that were written, so that the client can resume when there is free space.
      await save();
      throw error;
    });
    if (failure !== undefined || position < (sizeBytes ?? 0)) await save();
    return { failure, offsetBytes: position };
  }
}
