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
 */
export interface StoredFiles {
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
   * for them.
   */
  correct(clientId: string, states: readonly FileState[]): Promise<readonly string[]>;
}

/**
 * Counts what is at paths of a client now. Call it after files have appeared there, may have appeared, or were removed.
 * `appeared`: the version with which files were counted that have appeared since; those that still have it are not looked
 * at. Never rejects: an hourly check corrects what this could not.
 */
export type RecountFiles = (clientId: string, paths: readonly string[], appeared?: string) => Promise<void>;

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

/**
 * How large a file may be that a client puts at a path: what is left of its quota, and the size of the file that it replaces, also
 * above the quota.
 */
export interface StorageRoom {
  readonly usedBytes: number;
  /** The size of the counted file at the path. */
  readonly replacedBytes: number;
  readonly maxBytes: number;
}

/** Finds the room of a client at a path. */
export async function storageRoom(
  stored: Pick<StoredFiles, 'used' | 'find'>,
  clientId: string,
  path: string,
  limit: number,
): Promise<StorageRoom> {
  const [usedBytes, [replaced]] = await Promise.all([stored.used(clientId), stored.find(clientId, [path])]);
  const replacedBytes = replaced?.bytes ?? 0;
  return { usedBytes, replacedBytes, maxBytes: replacedBytes + Math.max(0, limit - usedBytes) };
}

/** The problem (429) of a request that needs more storage than is left. Time alone does not help. */
export const storageExceeded = (used: number, wanted: number, limit: number): Problem =>
  new Problem(
    'QUOTA_EXCEEDED',
    `The quota "storage" allows ${limit} bytes: ${used} are used, and this request needs ${wanted}. Delete files, or ask the operator for more.`,
    { quota: { name: 'storage', used, limit } },
  );
