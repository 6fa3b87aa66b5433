import { isBucketPath } from './bucket-path.ts';
import type { Caller } from './client.ts';
import type { MediaRoot } from './media-root.ts';
import { Problem } from './problem.ts';

export interface StoredFile {
  /** The path relative to the media root of the client. */
  readonly path: string;
  readonly bytes: number;
}

/** Whether a file is in the bin, in any folder: a client can share a media root in which others have theirs. */
export const isInBin = ({ path }: Pick<StoredFile, 'path'>): boolean => /(?:^|\/)\.telecine\//.test(path);

/** The bytes in the media root of a client. */
export interface StorageSize {
  readonly files: number;
  /** Deleted files that can be restored. */
  readonly bin: number;
}

/** A client whose media root is to be added up. */
export interface DueSum {
  readonly clientId: string;
  /** How many bytes of this client ever changed. See `StoredFiles.replace`. */
  readonly changed: number;
}

/**
 * What clients use of their quota `storage`: all files in the media root of a client, and its bin. What the service writes and deletes is
 * added at once. What other programs do is found when the media root is added up (`sumStorage`), which also corrects what a crash left.
 * Unfinished resumable uploads count with their full size.
 */
export interface StoredFiles {
  /**
   * Reserves room for bytes that are about to be stored, or changes the reservation with this id. Requests at the same time cannot exceed
   * `limit` together, also from several services. Throws StorageExceeded. Renew it within an hour, and end it by `settle`.
   */
  reserve(clientId: string, id: string, bytes: number, limit: number | undefined): Promise<void>;
  /** Ends a reservation of which `bytes` were stored. Does nothing if it has ended. */
  settle(clientId: string, id: string, bytes: number): Promise<void>;
  /** Adds what was stored or, as a negative number, deleted without a reservation. */
  add(clientId: string, change: Partial<StorageSize>): Promise<void>;
  /** Returns the bytes of the files and unfinished uploads of a client, without its bin. */
  used(clientId: string): Promise<number>;
  /**
   * Returns about how many bytes the records of a client take in the database: its jobs, until they are deleted or their time is over, and
   * the files that its watches know. A total can be a second old.
   */
  records(clientId: string): Promise<number>;
  /** Lists all clients whose media roots are to be added up now. */
  due(): Promise<readonly DueSum[]>;
  /**
   * Stores a sum that began when `due` was called. The sum may have a change since then, may lack it, or may have seen a moved file twice.
   * So the count is corrected only by the difference that such changes cannot explain. The next sum is due in `seconds`. Ends reservations
   * that are an hour old. `sum`: undefined if the media root cannot be read now. The count then stays.
   */
  replace(due: DueSum, sum: StorageSize | undefined, seconds: number): Promise<void>;
}

/** Lists the files in a folder and in the folders below it, in parts. '': the whole media root. */
export type WalkFiles = (root: MediaRoot, folder: string, signal: AbortSignal) => AsyncIterable<readonly StoredFile[]>;

/**
 * Runs what reserves room in the quota `storage`. While it throws StorageExceeded, deletes the oldest entries of the bin of the client, and
 * runs it again: a bin never is the reason why there is no room.
 */
export type WithRoom = <T>(
  owner: { readonly clientId: string; readonly root: MediaRoot },
  reserve: () => Promise<T>,
) => Promise<T>;

/** The bytes of the files that count for a quota. Outputs in other buckets do not. */
export const countedBytes = (files: readonly { readonly path: string; readonly sizeBytes: number }[]): number =>
  files.reduce((sum, { path, sizeBytes }) => sum + (isBucketPath(path) ? 0 : sizeBytes), 0);

/** What to delete if a quota is used up. */
const TO_DELETE = { storage: 'files', records: 'finished jobs' } as const;

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

/** The problem of a request that needs more storage than its client has left. Repeating the request does not help. */
export class StorageExceeded extends Problem {
  /** Whether there is room once entries of the bin are deleted. */
  readonly binHelps: boolean;
  /** How many bytes must be deleted, so that there is room. */
  readonly missingBytes: number;

  constructor({ files, bin }: StorageSize, wanted: number, limit: number) {
    super(
      'STORAGE_EXCEEDED',
      `The quota "storage" allows ${limit} bytes: ${files} are used, and this request needs ${wanted}. Delete files, or ask the operator for more.`,
      { quota: { name: 'storage', used: files, limit } },
    );
    this.binHelps = files + wanted <= limit;
    this.missingBytes = files + bin + wanted - limit;
  }
}

export const noBinEntry = (entryId: string): Problem =>
  new Problem('FILE_NOT_FOUND', `The bin has no entry "${entryId}": it was restored, deleted, or has expired.`, {
    fix: 'List the bin for what is in it.',
  });
