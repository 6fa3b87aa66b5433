import type { MediaPath } from '../../domain/media-path.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { FileCheck, FileFacts } from '../ports.ts';

/** The record of a resumable upload. */
export interface UploadRecord {
  readonly uploadId: string;
  readonly clientId: string;
  /** The path at which the file appears, relative to the media root of the client. */
  readonly path: MediaPath;
  readonly sizeBytes: number;
  /** The number of bytes that are stored and survive a crash. */
  readonly offsetBytes: number;
  /** `Upload-Metadata` as the client sent it. */
  readonly metadata: string;
  /** The conditions of the client for the file that it replaces, as JSON. */
  readonly precondition: string;
  /** What the engine needs to find the bytes. '' until `UploadParts.begin` has returned it, and once the bytes are removed. */
  readonly data: string;
  /** Whether the file is complete and at its path. */
  readonly isPublished: boolean;
}

/** What a request changes in a record. */
export type UploadChange = Partial<Pick<UploadRecord, 'offsetBytes' | 'data' | 'isPublished'>>;

/** The limits of the uploads of a client. */
export interface UploadLimits {
  /** Unfinished uploads. */
  readonly maxOpen: number;
  /** Records of published uploads. */
  readonly maxPublished: number;
  readonly maxStoredBytes?: number;
}

/** The records of resumable uploads. Times are by the clock of the database. */
export interface UploadStore {
  /**
   * Adds a record that expires after `seconds`. Resolves to false if the client has `maxOpen` unfinished uploads already.
   * Throws QUOTA_EXCEEDED if they and its files would be more than `maxStoredBytes`. Removes the oldest of its published uploads
   * that have no bytes any more, if it has `maxPublished` or more.
   */
  add(record: UploadRecord, seconds: number, limits: UploadLimits): Promise<boolean>;
  /** Finds an upload that has not expired. */
  find(clientId: string, uploadId: string): Promise<UploadRecord | undefined>;
  /**
   * Makes `holder` the only one who can save changes, and renews the record unless it is published. Resolves to undefined if
   * there is no such upload of the client.
   */
  claim(clientId: string, uploadId: string, holder: string, seconds: number): Promise<UploadRecord | undefined>;
  /**
   * Changes and renews a record. Resolves to false, without a change, if another holder has claimed it, or it is gone. With
   * `isPublished`, counts its file (`StoredFiles`) in place of the upload, and forgets the conditions.
   */
  save(uploadId: string, holder: string, change: UploadChange, seconds: number): Promise<boolean>;
  /** Resolves to false if there is no such record. */
  remove(uploadId: string): Promise<boolean>;
  /**
   * Removes records of published uploads that have expired and have no bytes any more, up to `limit`. Returns how many it has
   * removed.
   */
  removePublished(limit: number): Promise<number>;
  /** Lists uploads that have expired, the oldest first. */
  expired(limit: number): Promise<readonly UploadRecord[]>;
  /** Which of these uploads have a record. */
  recorded(uploadIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The number of unfinished uploads of all clients. */
  countOpen(): Promise<number>;
}

/** An upload, with the media root of its client. */
export type StoredUpload = Pick<UploadRecord, 'uploadId' | 'path' | 'sizeBytes' | 'offsetBytes' | 'data'> & {
  readonly root: MediaRoot;
};

/** Stores the bytes of resumable uploads. They are invisible until `publish`. Every method throws `Problem`. */
export interface UploadParts {
  /**
   * Prepares the storage of an upload, and returns `UploadRecord.data`. Throws NO_SPACE, and what `check` throws for the
   * file that exists at the path.
   */
  begin(upload: Omit<StoredUpload, 'data'>, check: FileCheck): Promise<string>;
  /**
   * Stores `bytes` from `upload.offsetBytes` on. Calls `onSaved` with the new offset whenever more bytes are on disk, at
   * least once a second for a fast client, and last for all bytes that arrived, also if `bytes` throws. Then rejects with
   * that error. Throws NO_SPACE, STORAGE_FAULT.
   */
  append(
    upload: StoredUpload,
    bytes: AsyncIterable<Uint8Array>,
    onSaved: (offsetBytes: number) => Promise<void>,
  ): Promise<void>;
  /**
   * Makes the complete file appear at its path, or changes nothing; `check` runs as in `FileStore.beginUpload`. May be called
   * again after a crash at any instruction: a file that has appeared is not checked again. `save` stores a new
   * `UploadRecord.data`, and is called before anything appears.
   */
  publish(upload: StoredUpload, check: FileCheck, save: (data: string) => Promise<void>): Promise<FileFacts>;
  /**
   * Removes the bytes, whether the upload is published or not. The published file stays. `data`: '' if a crash has
   * interrupted `begin`.
   */
  remove(upload: Pick<UploadRecord, 'uploadId' | 'data'>): Promise<void>;
  /** Lists the uploads that have bytes. Absent if the engine removes those without a record itself. */
  list?(): Promise<readonly string[]>;
}
