import pLimit from 'p-limit';
import { isBucketPath } from '../domain/bucket-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { FileState, OwnCount, RecountFiles, StoredFiles } from '../domain/stored-files.ts';
import type { BackgroundRepeats } from './background-repeats.ts';
import { isMissingFile, parseFilePath } from './file-path.ts';
import type { FileStore } from './ports.ts';

export interface RecountDeps {
  readonly stored: Pick<StoredFiles, 'find' | 'correct' | 'settle'>;
  readonly store: Pick<FileStore, 'open'>;
  readonly rootOf: (clientId: string) => Promise<MediaRoot>;
  /** Receives why files were not recounted at first. `path`: one of them. */
  readonly onFailure: (failure: RecountFailure) => void;
  /** Repeats a recount that failed, because files of an outage would count until the hourly check. */
  readonly repeats: Pick<BackgroundRepeats, 'add'>;
}

interface RecountFailure {
  readonly clientId: string;
  readonly path?: string;
  readonly err: unknown;
}

/** How often a path is looked at if others change what is counted there meanwhile. They recount it too. */
const MAX_LOOKS = 10;

/** Builds `RecountFiles`. */
export const fileRecount =
  (deps: RecountDeps): RecountFiles =>
  async (clientId, paths, own) => {
    const failure = await recountOnce(deps, clientId, paths, own);
    if (failure === undefined) return;
    deps.onFailure(failure);
    // By the time of a repeat, the caller may have stored the end of its work.
    const late = own && { ...own, endFollows: false };
    deps.repeats.add(async () => (await recountOnce(deps, clientId, paths, late)) === undefined);
  };

/** Recounts. Resolves to why it was not done for all files. Never rejects. */
async function recountOnce(
  deps: RecountDeps,
  clientId: string,
  paths: readonly string[],
  own: OwnCount | undefined,
): Promise<RecountFailure | undefined> {
  let failed: RecountFailure | undefined;
  try {
    let rest = paths.filter((path) => !isBucketPath(path));
    // In most cases nobody else has counted there.
    if (rest.length > 0 && own?.hasAppeared === true)
      if (await deps.stored.settle(clientId, [...new Set(rest)], own)) return undefined;
    for (let looks = 0; looks < MAX_LOOKS && rest.length > 0; looks += 1) {
      const { states, failure } = await look(deps, clientId, rest, own);
      if (failure !== undefined) failed = { clientId, path: failure.path, err: failure.error };
      // After a failure the files stay pending: one may be there, and not count because another request saw none.
      rest = [...(await deps.stored.correct(clientId, states, failed === undefined ? own?.version : undefined))];
    }
    return failed;
  } catch (err) {
    return { clientId, err };
  }
}

/**
 * Reads the versions first and then looks, so that a look is only stored if nothing was counted since. Also a path whose size
 * has not changed gets a new version: an earlier look of another request, which may not have seen the file, is stored no more.
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

/** The number of files that are looked at concurrently. Each is a request to an object store. */
const CONCURRENCY = 8;

/** What was found at paths. */
interface FileLook {
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
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
