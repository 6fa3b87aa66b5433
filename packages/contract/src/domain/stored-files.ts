import { isBucketPath } from './bucket-path.ts';
import type { Caller } from './client.ts';
import { Problem } from './problem.ts';

export interface StoredFile {
  /** The path relative to the media root of the client. */
  readonly path: string;
  readonly bytes: number;
}

/** A published file that counts towards the storage quota. */
export interface CountedFile extends StoredFile {
  /** A new text for each change of the count at this path. */
  readonly version: string;
}

/** What a recount found at a path: a file of some size, or no file. */
export interface FileState {
  /** The path relative to the media root of the client. */
  readonly path: string;
  /** The version that the path had before its size was read. undefined: nothing was counted at the path. */
  readonly version: string | undefined;
  /** The size of the file. undefined: there is no file. */
  readonly bytes: number | undefined;
}

/**
 * The files that count towards the storage quota of a client: files that its uploads and jobs have published in its media root, and the
 * full size of its unfinished resumable uploads.
 *
 * Count files before they appear, and recount them (`RecountFiles`) afterwards. Also recount files after you have removed them, and if you
 * do not know whether they appeared. The count is then right once all requests are done, in any order. Between the count and the recount, a
 * file is *pending*: its bytes count even if another process finds no file at the path, so that nobody else gets the room. Outputs of jobs
 * are not pending if the client has no limit.
 */
export interface StoredFiles {
  /**
   * Reserves room for a file while its bytes arrive: at least `least` bytes, and up to `most` bytes if they fit. Replaces an earlier
   * reservation with this version. Resolves to the reserved bytes. Throws QUOTA_EXCEEDED and reserves nothing if `limit` does not allow
   * `least` bytes. Renew a reservation within an hour. `count` with the same version or `release` ends it.
   */
  reserve(
    clientId: string,
    path: string,
    request: { readonly least: number; readonly most: number; readonly version: string; readonly limit: number },
  ): Promise<number>;
  /** Ends the reservation of a file that will not appear. */
  release(clientId: string, version: string): Promise<void>;
  /**
   * Counts files before they appear. The files replace earlier files at their paths. Throws QUOTA_EXCEEDED and counts nothing if the client
   * would exceed `limit` bytes. Requests at the same time cannot exceed the limit together, even from several processes. `version`: a new
   * text that the caller chooses.
   */
  count(
    clientId: string,
    files: readonly StoredFile[],
    options: { readonly version: string; readonly limit?: number | undefined },
  ): Promise<void>;
  used(clientId: string): Promise<number>;
  /**
   * Returns about how many bytes the records of a client take in the database: its jobs, until they are deleted or their time is over, the
   * paths of its files and bin, and the files that its watches know. A total can be a second old.
   */
  records(clientId: string): Promise<number>;
  find(clientId: string, paths: readonly string[]): Promise<readonly CountedFile[]>;
  /** Finds the files that count for any of these clients at one path in the media root of each. */
  findOf(clientIds: readonly string[], path: string): Promise<readonly (CountedFile & { readonly clientId: string })[]>;
  /** Returns those of these clients for which files count in a folder of the media root of each. `folder`: as in `below`. */
  findClientsBelow(clientIds: readonly string[], folder: string): Promise<readonly string[]>;
  /**
   * Lists up to `limit` counted files of a folder and of the folders in it, by path. `folder`: ends with a slash, or is empty for the whole
   * media root. `after`: the last path of the previous page.
   */
  below(clientId: string, folder: string, limit: number, after?: string): Promise<readonly CountedFile[]>;
  /**
   * Stores the sizes that were found at paths, with new versions. Stores nothing for a path whose version has changed meanwhile, and
   * returns these paths. If there are none, files that were counted with the version `settled` are no longer pending.
   */
  correct(clientId: string, states: readonly FileState[], settled?: string): Promise<readonly string[]>;
  /**
   * Does the same as `correct` for a few files that were counted with one version and have appeared. Resolves to false if one of the paths
   * now has another version; the files then stay pending.
   */
  settle(clientId: string, paths: readonly string[], own: OwnCount): Promise<boolean>;
}

/** The count that the caller of `RecountFiles` made earlier. */
export interface OwnCount {
  readonly version: string;
  /** Whether all files have appeared since the count. Files that still have the version of the count are then not checked. */
  readonly hasAppeared: boolean;
  /**
   * Whether the caller next stores that its work has ended, and counts the files again if the process crashes before. The recount of files
   * that have appeared then does not wait for its flush to disk.
   */
  readonly endFollows?: boolean;
  /** Whether the files are pending until the recount. Default: true. */
  readonly arePending?: boolean;
}

/**
 * Counts what is now at paths of a client. Call it after files have appeared, may have appeared, or were removed. `own`: the caller's own
 * count of these files. Never rejects: failed counts are repeated in the background for an hour. Later, an hourly check corrects them.
 */
export type RecountFiles = (clientId: string, paths: readonly string[], own?: OwnCount) => Promise<void>;

/** The files that count. Outputs in other buckets do not count. */
export const countedFiles = (files: readonly { readonly path: string; readonly sizeBytes: number }[]): StoredFile[] =>
  files.flatMap(({ path, sizeBytes: bytes }) => (isBucketPath(path) ? [] : [{ path, bytes }]));

/** What to delete if a quota is used up. */
const TO_DELETE = { storage: 'files', records: 'finished jobs and files' } as const;

/**
 * Throws QUOTA_EXCEEDED if a client has used up its storage, or the room of its records. Reads nothing if the client has
 * no limit.
 */
export async function checkStored(
  stored: Pick<StoredFiles, 'used' | 'records'>,
  { clientId, policy }: Pick<Caller, 'clientId' | 'policy'>,
): Promise<void> {
  if (policy.storage !== undefined) checkUsed('storage', await stored.used(clientId), policy.storage);
  await checkRecords(stored, { clientId, policy });
}

/** Throws QUOTA_EXCEEDED if a client has used up the room of its records. Reads nothing if the client has no limit. */
export async function checkRecords(
  stored: Pick<StoredFiles, 'records'>,
  { clientId, policy: { records } }: Pick<Caller, 'clientId' | 'policy'>,
): Promise<void> {
  if (records !== undefined) checkUsed('records', await stored.records(clientId), records);
}

function checkUsed(name: 'storage' | 'records', used: number, limit: number): void {
  if (used < limit) return;
  throw new Problem(
    'QUOTA_EXCEEDED',
    `The quota "${name}" allows ${limit} bytes, and ${used} are used. Delete ${TO_DELETE[name]}, or ask the operator for more.`,
    { quota: { name, used, limit } },
  );
}

/** The problem (429) for a request that needs more storage than is left. Waiting alone does not help. */
export const storageExceeded = (used: number, wanted: number, limit: number): Problem =>
  new Problem(
    'QUOTA_EXCEEDED',
    `The quota "storage" allows ${limit} bytes: ${used} are used, and this request needs ${wanted}. Delete files, or ask the operator for more.`,
    { quota: { name: 'storage', used, limit } },
  );
