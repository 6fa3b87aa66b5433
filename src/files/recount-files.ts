import { isBucketPath } from '../domain/bucket-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { FileState, RecountFiles, StoredFiles } from '../domain/stored-files.ts';
import { lookAtFiles } from './look-at-files.ts';
import type { FileStore } from './ports.ts';

export interface RecountDeps {
  readonly stored: Pick<StoredFiles, 'find' | 'correct'>;
  readonly store: Pick<FileStore, 'open'>;
  readonly rootOf: (clientId: string) => Promise<MediaRoot>;
  /** Receives why files were not recounted. `path`: one of them. */
  readonly onFailure: (failure: { readonly clientId: string; readonly path?: string; readonly err: unknown }) => void;
}

/** How often a path is looked at if others change what is counted there meanwhile. They recount it too. */
const MAX_LOOKS = 10;

/** Builds `RecountFiles`. */
export const fileRecount =
  (deps: RecountDeps): RecountFiles =>
  async (clientId, paths, appeared) => {
    try {
      let rest = paths.filter((path) => !isBucketPath(path));
      for (let looks = 0; looks < MAX_LOOKS && rest.length > 0; looks += 1)
        rest = [...(await recountOnce(deps, clientId, rest, appeared))];
    } catch (err) {
      deps.onFailure({ clientId, err });
    }
  };

/**
 * Reads the versions first and then looks, so that a look is only stored if nothing was counted since. Also a path whose size
 * has not changed gets a new version: an earlier look of another request, which may not have seen the file, is stored no more.
 * Returns the paths to look at again.
 */
async function recountOnce(
  { stored, store, rootOf, onFailure }: RecountDeps,
  clientId: string,
  paths: readonly string[],
  appeared: string | undefined,
): Promise<readonly string[]> {
  const counted = new Map((await stored.find(clientId, paths)).map((file) => [file.path, file]));
  const known = new Map(
    [...counted.values()].flatMap(({ path, version, bytes }) => (version === appeared ? [[path, bytes]] : [])),
  );
  const unknown = paths.filter((path) => !known.has(path));
  const { sizes, failure } = await lookAtFiles(store, await rootOf(clientId), unknown);
  if (failure !== undefined) onFailure({ clientId, path: failure.path, err: failure.error });
  const states = [...known, ...sizes].map(
    ([path, bytes]): FileState => ({ path, bytes, version: counted.get(path)?.version }),
  );
  return stored.correct(
    clientId,
    states.filter(({ version, bytes }) => version !== undefined || bytes !== undefined),
  );
}
