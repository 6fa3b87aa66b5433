/** The record of a multipart upload of a client that is neither complete nor aborted: the data of a lease. */
export interface UploadRecord {
  readonly bucket: string;
  readonly key: string;
  /** Absent between the record and the reply to its request. */
  readonly uploadId?: string;
  /** When the upload was begun, in milliseconds. */
  readonly begunAt: number;
}

/** The names of these leases begin with it. */
export const UPLOAD_LEASES = 'upload:';

export const readRecord = (data: string): UploadRecord => JSON.parse(data) as UploadRecord;
