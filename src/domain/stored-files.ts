import { isBucketPath } from './bucket-path.ts';
import { Problem } from './problem.ts';

/** A published file. */
export interface StoredFile {
  /** Relative to the media root of the client. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * The files that the quota of storage of a client counts: those that its uploads and jobs have published in its media root,
 * and the whole size of its unfinished resumable uploads.
 */
export interface StoredFiles {
  /**
   * Counts files before they appear, in place of earlier ones at their paths. Throws QUOTA_EXCEEDED, and counts nothing, if
   * that is more than `limit` bytes. Requests at the same time, in any number of processes, do not exceed it together.
   */
  count(clientId: string, files: readonly StoredFile[], limit?: number): Promise<void>;
  /** Forgets files that were removed. With `bytes`, only one of this size: another one has replaced it otherwise. */
  forget(clientId: string, files: readonly (Pick<StoredFile, 'path'> & Partial<StoredFile>)[]): Promise<void>;
  /** The bytes that a client uses. */
  used(clientId: string): Promise<number>;
}

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
