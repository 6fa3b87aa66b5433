import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileCheck, UploadSession } from '../../../files/ports.ts';
import { type DirectoryHandle, openPrivate } from '../../scratch/directory-handle.ts';
import { type MediaLog, removeScratch } from '../../scratch/scratch.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { statTarget } from '../publish/target.ts';
import { fileProblem } from './file-problems.ts';
import { checkFreeSpace, SPACE_CHECK_BYTES } from './free-space.ts';
import { CONTENT, factsIn, type PublishDeps, prepareUpload, publishPrepared } from './publish-upload.ts';

export interface UploadDeps extends PublishDeps {
  /** Returns the folder for incomplete uploads. */
  uploadDir(): Promise<DirectoryHandle>;
  /** Bytes that must stay free on each disk that an upload writes to. */
  readonly minFreeBytes: number;
  readonly log: MediaLog;
}

interface Session {
  readonly boundary: RootBoundary;
  readonly path: MediaPath;
  readonly check: FileCheck;
  /** The folder that contains `dir`. */
  readonly uploadDir: DirectoryHandle;
  /** The folder of this upload. */
  readonly dir: DirectoryHandle;
  readonly handle: FileHandle;
  /** Folders on the disks that the upload writes to. */
  readonly disks: readonly string[];
}

/** Begins an upload to a client's path. Creates nothing at the path before the upload is complete. */
export async function beginUpload(
  deps: UploadDeps,
  boundary: RootBoundary,
  path: MediaPath,
  { sizeBytes = 0, check }: { readonly sizeBytes?: number; readonly check: FileCheck },
): Promise<UploadSession> {
  try {
    const current = await statTarget(boundary, path);
    check(factsIn(path, current));
    const uploadDir = await deps.uploadDir();
    const disks = [uploadDir.pathOf('.'), current.target.real];
    await checkFreeSpace(disks, sizeBytes, deps.minFreeBytes);
    const dir = await openPrivate(uploadDir, randomUUID());
    const handle = await open(dir.pathOf(CONTENT), 'wx', 0o600).catch(async (error) => {
      await removeUpload(uploadDir, dir);
      throw error;
    });
    return toUploadSession(deps, { boundary, path, check, uploadDir, dir, handle, disks });
  } catch (error) {
    throw fileProblem(path, 'writing the file', error);
  }
}

const removeUpload = (uploadDir: DirectoryHandle, dir: DirectoryHandle): Promise<void> =>
  removeScratch(uploadDir, basename(dir.real)).finally(dir.close);

function toUploadSession(deps: UploadDeps, session: Session): UploadSession {
  const { path, uploadDir, dir, handle, disks } = session;
  let uncheckedBytes = 0;
  const write = async (chunk: Uint8Array): Promise<void> => {
    for (let offset = 0; offset < chunk.length; ) offset += (await handle.write(chunk, offset)).bytesWritten;
    uncheckedBytes += chunk.length;
    if (uncheckedBytes < SPACE_CHECK_BYTES) return;
    uncheckedBytes = 0;
    await checkFreeSpace(disks, 0, deps.minFreeBytes);
  };
  const throwProblem = (error: unknown): never => {
    throw fileProblem(path, 'writing the file', error);
  };
  return {
    append: async (bytes) => {
      for await (const chunk of bytes) await write(chunk).catch(throwProblem);
    },
    publish: async () => {
      await handle.close();
      return await prepareUpload(deps, session)
        .then((file) => publishPrepared(deps, session, file))
        .catch(throwProblem);
    },
    discard: async () => {
      await handle.close().catch(() => undefined);
      await removeUpload(uploadDir, dir).catch((err) => {
        // The next start removes it.
        deps.log.warn({ err, upload: dir.real }, 'files of an upload not removed');
      });
    },
  };
}
