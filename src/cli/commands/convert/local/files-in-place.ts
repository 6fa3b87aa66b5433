import { link as linkFile, mkdir, realpath, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NO_LINKS } from '../../../../client/node/no-links.ts';
import type { NodeClient } from '../../../../client/node/node-client.ts';

/** Errors of links and renames between file systems, or of files of other users. The bytes must be copied then. */
const MUST_COPY: ReadonlySet<unknown> = new Set([...NO_LINKS, 'EXDEV', 'EACCES']);

const mustCopy = (error: unknown): boolean => error instanceof Error && 'code' in error && MUST_COPY.has(error.code);

/** Links a file into the media root. Returns whether that worked: otherwise it must be copied. */
export async function linkInput(mediaRoot: string, file: string, path: string): Promise<boolean> {
  const target = join(mediaRoot, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    // A link to a symlink would lead out of the media root.
    await linkFile(await realpath(file), target);
    return true;
  } catch (error) {
    if (!mustCopy(error)) throw error;
    return false;
  }
}

/** A client of a service in this process: inputs and outputs are linked where the file system allows it, and copied else. */
export function filesInPlace(client: NodeClient, mediaRoot: string): NodeClient {
  return {
    ...client,
    async uploadFile(file, path, options = {}) {
      options.signal?.throwIfAborted();
      if (!(await linkInput(mediaRoot, file, path))) return client.uploadFile(file, path, options);
      const { size } = await stat(join(mediaRoot, path));
      options.onBytes?.(size, size);
    },
    async saveOutput(jobId, target, options = {}) {
      options.signal?.throwIfAborted();
      const { path, replace = false } = options;
      if (path === undefined) return client.saveOutput(jobId, target, options);
      const source = join(mediaRoot, path);
      try {
        // A link rejects an existing file, and a rename replaces it.
        await (replace ? rename(source, target) : linkFile(source, target));
      } catch (error) {
        if (!mustCopy(error)) throw error;
        return client.saveOutput(jobId, target, options);
      }
      const { size } = await stat(target);
      options.onBytes?.(size, size);
    },
  };
}
