import pLimit from 'p-limit';
import type { MediaRoot } from '../domain/media-root.ts';
import { Problem } from '../domain/problem.ts';
import { parseFilePath } from './file-path.ts';
import type { FileStore } from './ports.ts';

/** The number of files that are looked at concurrently. Each is a request to an object store. */
const CONCURRENCY = 8;

/** What was found at paths. */
export interface FileLook {
  /** The sizes in bytes; undefined where no file is. */
  readonly sizes: ReadonlyMap<string, number | undefined>;
  /** The first path of which nothing is known, because the storage failed or the path leaves the media root. */
  readonly failure?: { readonly path: string; readonly error: unknown };
}

/** Finds the sizes of files. Never rejects: a file that cannot be looked at does not hide the others. */
export async function lookAtFiles(
  store: Pick<FileStore, 'open'>,
  root: MediaRoot,
  paths: readonly string[],
): Promise<FileLook> {
  const sizes = new Map<string, number | undefined>();
  const failures: { readonly path: string; readonly error: unknown }[] = [];
  await pLimit(CONCURRENCY).map(paths, async (path) => {
    try {
      sizes.set(path, await sizeOf(store, root, path));
    } catch (error) {
      failures.push({ path, error });
    }
  });
  const [failure] = failures;
  return { sizes, ...(failure && { failure }) };
}

async function sizeOf(store: Pick<FileStore, 'open'>, root: MediaRoot, path: string): Promise<number | undefined> {
  try {
    const file = await store.open(root, parseFilePath(path, root));
    await file.close();
    return file.sizeBytes;
  } catch (error) {
    if (error instanceof Problem && (error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_FILE')) return undefined;
    throw error;
  }
}
