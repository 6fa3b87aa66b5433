import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ClientError } from '../client-error.ts';
import type { SaveOptions } from '../options.ts';

/** The error codes of file systems that support no hard links, or no more of them. */
export const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** How often a download restarts if the file is replaced meanwhile. */
const MAX_RESTARTS = 5;

/** Saves a download as `target`. The content appears when it is complete on disk. The folder must exist. Rejects with Node errors. */
export async function saveDownload(
  download: () => Promise<Response>,
  target: string,
  { replace = false }: Pick<SaveOptions, 'replace'>,
): Promise<void> {
  const temporary = join(dirname(target), `.telecine-${crypto.randomUUID()}.part`);
  const file = await open(temporary, 'wx');
  try {
    await writeAll(file, download);
    await file.sync();
    await file.close();
    await finalizeDownload(temporary, target, replace);
  } finally {
    await file.close();
    await rm(temporary, { force: true });
  }
}

async function writeAll(file: FileHandle, download: () => Promise<Response>): Promise<void> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      await file.truncate(0);
      await write(file, await download());
      return;
    } catch (error) {
      const hasChanged = error instanceof ClientError && error.kind === 'changed';
      if (!hasChanged || restarts === MAX_RESTARTS) throw error;
    }
  }
}

async function write(file: FileHandle, { body }: Response): Promise<void> {
  let position = 0;
  for await (const chunk of body ?? []) {
    for (let offset = 0; offset < chunk.length; ) {
      const { bytesWritten } = await file.write(chunk, offset, null, position);
      offset += bytesWritten;
      position += bytesWritten;
    }
  }
}

/** Renames a complete download to `target`. Without `replace`, rejects with EEXIST if `target` now exists. */
async function finalizeDownload(temporary: string, target: string, replace: boolean): Promise<void> {
  if (replace) return rename(temporary, target);
  try {
    await link(temporary, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_LINKS.has(error.code))) throw error;
    return renameToNew(temporary, target);
  }
  await rm(temporary);
}

/** Creates an empty file with the name, and then replaces this file. A rename alone would replace any file. */
async function renameToNew(temporary: string, target: string): Promise<void> {
  await (await open(target, 'wx')).close();
  try {
    await rename(temporary, target);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}
