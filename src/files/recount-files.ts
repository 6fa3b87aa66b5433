import { isBucketPath } from '../domain/bucket-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { FileState, OwnCount, RecountFiles, StoredFiles } from '../domain/stored-files.ts';
import { type FileLook, lookAtFiles } from './look-at-files.ts';
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
  async (clientId, paths, own) => {
    try {
      let rest = paths.filter((path) => !isBucketPath(path));
      let settled = own?.version;
      for (let looks = 0; looks < MAX_LOOKS && rest.length > 0; looks += 1) {
        const { states, failure } = await look(deps, clientId, rest, own);
        if (failure !== undefined) {
          deps.onFailure({ clientId, path: failure.path, err: failure.error });
          // The file stays pending: it may be there, and not count because another request saw none.
          settled = undefined;
        }
        rest = [...(await deps.stored.correct(clientId, states, settled))];
      }
    } catch (err) {
      deps.onFailure({ clientId, err });
    }
  };

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
