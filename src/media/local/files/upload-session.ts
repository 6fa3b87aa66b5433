import { randomUUID } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { LimitFunction } from 'p-limit';
import { JobFailed } from '../../../domain/failure.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Check, FileFacts, PendingFile } from '../../../files/ports.ts';
import type { MediaLog } from '../log.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import type { IntendedFile } from '../publish/intent.ts';
import { type PrepareDeps, prepareFiles } from '../publish/prepare-files.ts';
import { publish } from '../publish/publish.ts';
import { removeScratch } from '../scratch/scratch.ts';
import { statTarget } from './existing-file.ts';
import { factsOf } from './file-facts.ts';
import { fileProblem } from './file-problems.ts';
import { checkFreeSpace } from './free-space.ts';

export interface UploadDeps extends PrepareDeps {
  /** Where uploads lie until they are whole. */
  readonly room: string;
  /** On each disk that is written to. */
  readonly minFreeBytes: number;
  /** Lets one change at a time look and act, so that no two pass the same condition. */
  readonly inTurn: LimitFunction;
  readonly log: MediaLog;
}

/** Free space is asked for anew after so many bytes. */
const ASK_EVERY_BYTES = 16 * 2 ** 20;

/** A conversion may take the name, or lose it, between a look and the act. */
const TRIES = 10;

/** Begins an upload: looks at where it goes, and makes nothing there before it is whole. */
export async function beginUpload(
  deps: UploadDeps,
  ground: RootBoundary,
  path: MediaPath,
  { sizeBytes = 0, check }: { readonly sizeBytes?: number; readonly check: Check },
): Promise<PendingFile> {
  try {
    const { target, file } = await statTarget(ground, path);
    check(file);
    const disks = [deps.room, target.real];
    await checkFreeSpace(disks, sizeBytes, deps.minFreeBytes);
    const name = randomUUID();
    const scratchDir = join(deps.room, name);
    await mkdir(scratchDir, { recursive: true, mode: 0o700 });
    const handle = await open(join(scratchDir, CONTENT), 'wx', 0o600).catch(async (error) => {
      await removeScratch(scratchDir);
      throw error;
    });
    return pendingFile(deps, { ground, path, check, scratchDir, handle, disks });
  } catch (error) {
    throw fileProblem(path, 'writing the file', error);
  }
}

const CONTENT = 'content';

interface Begun {
  readonly ground: RootBoundary;
  readonly path: MediaPath;
  readonly check: Check;
  readonly scratchDir: string;
  readonly handle: FileHandle;
  readonly disks: readonly string[];
}

function pendingFile(deps: UploadDeps, begun: Begun): PendingFile {
  const { path, scratchDir, handle, disks } = begun;
  let unasked = 0;
  const write = async (chunk: Uint8Array): Promise<void> => {
    for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
    unasked += chunk.length;
    if (unasked < ASK_EVERY_BYTES) return;
    unasked = 0;
    await checkFreeSpace(disks, 0, deps.minFreeBytes);
  };
  const sortOut = (error: unknown): never => {
    throw fileProblem(path, 'writing the file', error);
  };
  return {
    append: async (bytes) => {
      for await (const chunk of bytes) await write(chunk).catch(sortOut);
    },
    publish: async () => {
      await handle.close();
      return await appear(deps, begun).catch(sortOut);
    },
    discard: async () => {
      await handle.close().catch(() => undefined);
      await removeScratch(scratchDir).catch((err) => {
        // The next start removes it.
        deps.log.warn({ err, scratch: scratchDir }, 'What is left of an upload could not be removed.');
      });
    },
  };
}

async function appear(
  deps: UploadDeps,
  { ground, path, check, scratchDir }: Begun,
): Promise<{ readonly file: FileFacts; readonly created: boolean }> {
  const left = { temporary: join(scratchDir, CONTENT), path };
  const [file] = await prepareFiles(deps, ground, scratchDir, true, [left]);
  if (file === undefined) throw new Error('The upload was not prepared.');
  const facts = factsOf(path, await lstat(file.temporary, { bigint: true }));
  for (let tries = 1; ; tries += 1) {
    const before = await deps.inTurn(async () => {
      const current = await statTarget(ground, path);
      check(current.file);
      return (await publishOne(deps, scratchDir, file, current.taken)) ? current : undefined;
    });
    if (before !== undefined) return { file: facts, created: before.file === undefined };
    if (tries === TRIES) throw moved();
  }
}

/** false: the name was taken meanwhile. Throws where the folder, or the upload itself, is no longer there. */
async function publishOne(
  { failpoint }: UploadDeps,
  scratchDir: string,
  file: IntendedFile,
  replace: boolean,
): Promise<boolean> {
  try {
    if (await publish(failpoint, { scratchDir, replace, files: [file] })) return true;
  } catch (error) {
    if (error instanceof JobFailed && error.failure.code === 'OUTPUT_EXISTS') return false;
    throw error;
  }
  throw moved();
}

const moved = (): Problem =>
  new Problem('STORAGE_FAULT', 'Others keep changing the folder of this file. Nothing was kept; send it again.');
