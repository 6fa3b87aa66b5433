import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { FileState, OwnCount, RecountFiles, StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import pLimit from 'p-limit';
import type { BackgroundRepeats } from './background-repeats.ts';
import { isMissingFile, parseFilePath } from './file-path.ts';
import type { FileStore } from './ports.ts';

export interface RecountDeps {
  readonly stored: Pick<StoredFiles, 'find' | 'correct' | 'settle'>;
  readonly store: Pick<FileStore, 'open'>;
  readonly rootOf: (clientId: string) => Promise<MediaRoot>;
  /** Called if the first attempt to recount files fails. `path`: one of them. */
  readonly onFailure: (failure: RecountFailure) => void;
  /** Repeats a failed recount. Without that, files could count wrongly until the hourly check. */
  readonly repeats: Pick<BackgroundRepeats, 'add'>;
}

interface RecountFailure {
  readonly clientId: string;
  readonly path?: string;
  readonly err: unknown;
}

/**
 * How many times, at most, a path is looked at again because other requests have changed its count. These requests
 * recount the path too.
 */
const MAX_LOOKS = 10;

export const fileRecount =
  (deps: RecountDeps): RecountFiles =>
  async (clientId, paths, own) => {
    const failure = await recountOnce(deps, clientId, paths, own);
    if (failure === undefined) return;
    deps.onFailure(failure);
    // A repeated recount may run after the caller has stored the end of its work, so no durable write of the caller
    // follows.
    const late = own && { ...own, endFollows: false };
    deps.repeats.add(async () => (await recountOnce(deps, clientId, paths, late)) === undefined);
  };

/** Recounts the files at these paths. Resolves to the failure, or to undefined on success. Never rejects. */
async function recountOnce(
  deps: RecountDeps,
  clientId: string,
  paths: readonly string[],
  own: OwnCount | undefined,
): Promise<RecountFailure | undefined> {
  let failed: RecountFailure | undefined;
  try {
    let rest = paths.filter((path) => !isBucketPath(path));
    // Usually, no other request has counted a file at these paths, and one update is enough.
    if (rest.length > 0 && own?.hasAppeared === true)
      if (await deps.stored.settle(clientId, [...new Set(rest)], own)) return undefined;
    for (let looks = 0; looks < MAX_LOOKS && rest.length > 0; looks += 1) {
      const { states, failure } = await look(deps, clientId, rest, own);
      if (failure !== undefined) failed = { clientId, path: failure.path, err: failure.error };
      // If a file could not be read, leave all of them pending: another request may have counted an existing file as
      // missing.
      rest = [...(await deps.stored.correct(clientId, states, failed === undefined ? own?.version : undefined))];
    }
    return failed;
  } catch (err) {
    return { clientId, err };
  }
}

/**
 * Reads the versions of the counts before it looks at the files. A result is then stored only if the version is still
 * the same, and the path gets a new version even if the size has not changed. So the result of an older look of another
 * request, which may have missed the file, is not stored.
 */
async function look(
  { stored, store, rootOf }: RecountDeps,
  clientId: string,
  paths: readonly string[],
  own: OwnCount | undefined,
): Promise<Pick<FileLook, 'failure'> & { readonly states: readonly FileState[] }> {
  const counted = new Map((await stored.find(clientId, paths)).map((file) => [file.path, file]));
  const known = new Map(
    [...counted.values()].flatMap(({ path, version, bytes }) =>
      own?.hasAppeared === true && version === own.version ? [[path, bytes]] : [],
    ),
  );
  const unknown = paths.filter((path) => !known.has(path));
  const { sizes, ...failed } = await lookAtFiles(store, await rootOf(clientId), unknown);
  const states = [...known, ...sizes].map(
    ([path, bytes]): FileState => ({ path, bytes, version: counted.get(path)?.version }),
  );
  return { ...failed, states: states.filter(({ version, bytes }) => version !== undefined || bytes !== undefined) };
}

/** How many files are looked at concurrently. With an object store, each look is a request. */
const CONCURRENCY = 8;

interface FileLook {
  /** The size of each file in bytes. undefined: the file does not exist. */
  readonly sizes: ReadonlyMap<string, number | undefined>;
  /** The first file whose size is unknown, because the storage failed or its path leaves the media root. */
  readonly failure?: { readonly path: string; readonly error: unknown };
}

/** Reads the sizes of files. Never rejects. */
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
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
