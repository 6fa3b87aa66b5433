import { isBucketPath } from './bucket-path.ts';
import { Problem } from './problem.ts';

/** A published file. */
export interface StoredFile {
  /** Relative to the media root of the client. */
  readonly path: string;
  readonly bytes: number;
}

/** A published file that counts. */
export interface CountedFile extends StoredFile {
  /** Differs after each write of what is counted at the path. */
  readonly version: string;
}

/** What is known of a path. */
export interface FileState {
  /** Relative to the media root of the client. */
  readonly path: string;
  /** The version that counted before `bytes` was found out. Undefined: nothing was counted at the path. */
  readonly version: string | undefined;
  /** Undefined: there is no file. */
  readonly bytes: number | undefined;
}

/**
 * The files that the quota of storage of a client counts: those that its uploads and jobs have published in its media root,
 * and the whole size of its unfinished resumable uploads.
 *
 * Count files before they appear, and recount them (`RecountFiles`) afterwards; recount files after you have removed them, and
 * when you do not know whether they appeared. Then what counts is right once all requests are done, in whatever order they ran.
 * Between the count and the recount, a file is *pending*: the bytes at its path count as at least its own, also if others find
 * no file there, so that its room is not given to others. Outputs of jobs of clients without a limit are not pending.
 */
export interface StoredFiles {
  /**
   * Reserves room for a file while its bytes arrive: for `least` bytes, and as many of `most` as fit, in place of what was
   * reserved with this version. Resolves to the bytes. Throws QUOTA_EXCEEDED, and reserves nothing, if `least` is more than
   * `limit` allows. Renew it within an hour; `count` with the same version or `release` ends it.
   */
  reserve(
    clientId: string,
    path: string,
    request: { readonly least: number; readonly most: number; readonly version: string; readonly limit: number },
  ): Promise<number>;
  /** Ends a reservation of a file that does not appear. */
  release(clientId: string, version: string): Promise<void>;
  /**
   * Counts files before they appear, in place of earlier ones at their paths. Throws QUOTA_EXCEEDED, and counts nothing, if
   * that is more than `limit` bytes. Requests at the same time, in any number of processes, do not exceed it together.
   * `version`: a new text of the caller.
   */
  count(
    clientId: string,
    files: readonly StoredFile[],
    options: { readonly version: string; readonly limit?: number | undefined },
  ): Promise<void>;
  /** The bytes that a client uses. */
  used(clientId: string): Promise<number>;
  /** What is counted at these paths. */
  find(clientId: string, paths: readonly string[]): Promise<readonly CountedFile[]>;
  /**
   * Stores what was found at paths, with new versions. Returns the paths whose version has changed since; nothing is stored
   * for them. If there are none, the files that were counted with the version `settled` are no longer pending.
   */
  correct(clientId: string, states: readonly FileState[], settled?: string): Promise<readonly string[]>;
  /**
   * Does what `correct` does for a few files that were counted with a version and have appeared. Resolves to false, and leaves
   * them pending, if another version counts at one of the paths by now.
   */
  settle(clientId: string, paths: readonly string[], own: OwnCount): Promise<boolean>;
}

/** The count of files by the caller of `RecountFiles`. */
export interface OwnCount {
  readonly version: string;
  /** Whether all of them have appeared since. Then those that still have the version are not looked at. */
  readonly hasAppeared: boolean;
  /**
   * Whether the caller stores the end of its work next, and counts the files again if the process crashes before. The recount of
   * files that have appeared then does not wait for the disk.
   */
  readonly endFollows?: boolean;
  /** Whether the files are pending until the recount. Default: true. */
  readonly arePending?: boolean;
}

/**
 * Counts what is at paths of a client now. Call it after files have appeared there, may have appeared, or were removed. `own`: for files
 * that the caller has counted. Never rejects: what fails is repeated in the background for an hour, and then an hourly check corrects it.
 */
export type RecountFiles = (clientId: string, paths: readonly string[], own?: OwnCount) => Promise<void>;

/** The files that count: outputs in other buckets do not. */
export const countedFiles = (files: readonly { readonly path: string; readonly sizeBytes: number }[]): StoredFile[] =>
  files.flatMap(({ path, sizeBytes: bytes }) => (isBucketPath(path) ? [] : [{ path, bytes }]));

/** Throws QUOTA_EXCEEDED if a client has used its storage up. Reads nothing if it has no limit. */
export async function checkStorage(
  stored: Pick<StoredFiles, 'used'>,
  clientId: string,
  limit: number | undefined,
): Promise<void> {
  const used = limit === undefined ? 0 : await stored.used(clientId);
  if (limit === undefined || used < limit) return;
  throw new Problem(
    'QUOTA_EXCEEDED',
    `The quota "storage" allows ${limit} bytes, and ${used} are used. Delete files, or ask the operator for more.`,
    { quota: { name: 'storage', used, limit } },
  );
}

/** The problem (429) of a request that needs more storage than is left. Time alone does not help. */
export const storageExceeded = (used: number, wanted: number, limit: number): Problem =>
  new Problem(
    'QUOTA_EXCEEDED',
    `The quota "storage" allows ${limit} bytes: ${used} are used, and this request needs ${wanted}. Delete files, or ask the operator for more.`,
    { quota: { name: 'storage', used, limit } },
  );
