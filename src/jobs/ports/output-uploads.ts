/** A multipart upload of an output to an object store. */
export interface RecordedUpload {
  readonly bucket: string;
  readonly key: string;
  /** Absent until the object store has replied to the request that begins the upload. */
  readonly uploadId?: string;
  /** When the upload was recorded. */
  readonly at: string;
}

/**
 * The uploads of attempts to an object store, and the keys that they publish to. `scratch`: the name of the attempt's
 * scratch folder. An upload is recorded before it begins, so that it is found after any crash. Of all attempts, only one
 * at a time has a key reserved: object stores do not all check that a key is free when an upload is completed.
 */
export interface OutputUploads {
  /** Records uploads that are about to begin. */
  begin(scratch: string, bucket: string, keys: readonly string[]): Promise<void>;
  /** Records the ids of uploads, by key. */
  recordIds(scratch: string, bucket: string, ids: ReadonlyMap<string, string>): Promise<void>;
  find(scratch: string): Promise<{ readonly uploads: readonly RecordedUpload[]; readonly hasReserved: boolean }>;
  /** The recorded uploads of all attempts to a key. */
  recordedFor(
    bucket: string,
    key: string,
  ): Promise<readonly (Pick<RecordedUpload, 'uploadId' | 'at'> & { readonly scratch: string })[]>;
  /** Forgets uploads that are complete or aborted. */
  forgetUploads(scratch: string): Promise<void>;
  /**
   * Reserves all the keys, or none. Resolves to a key that a running job has reserved; to undefined if all are reserved.
   * Earlier attempts of the same job, and jobs that do not run, lose theirs.
   */
  reserve(scratch: string, bucket: string, keys: readonly string[]): Promise<string | undefined>;
  /** The scratch folder of the running job that has a key reserved. */
  reservedBy(bucket: string, key: string): Promise<string | undefined>;
  /** Forgets the uploads and the reservations of an attempt. */
  forget(scratch: string): Promise<void>;
  /** The attempts that have uploads or reservations. */
  scratchNames(): Promise<readonly string[]>;
}
