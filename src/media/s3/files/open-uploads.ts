import { randomUUID } from 'node:crypto';
import { AbortMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Leases } from '../../../files/ports.ts';
import { ifFound } from '../errors.ts';
import { keepLease } from '../locks/keep-lease.ts';
import type { UnrecordedUploads } from '../uploads/unrecorded-uploads.ts';
import { readRecord, UPLOAD_LEASES, type UploadRecord } from '../uploads/upload-record.ts';

export interface OpenUploadRecord {
  /** Removes the record of an upload that is complete or aborted. */
  remove(): Promise<void>;
  /** Leaves the upload to the next sweep. */
  leave(): void;
}

/** The records of open multipart uploads, by which any service of the database aborts those of a crashed one. */
export interface OpenUploads {
  /** Records an upload before and after `begin`, which returns its id. */
  record(bucket: string, key: string, begin: () => Promise<string>): Promise<OpenUploadRecord>;
  /** Aborts the uploads of services that have ended without doing so. Throws the first error once it has tried all. */
  sweep(client: S3Client): Promise<void>;
}

/** A service that is paused or cannot reach the database for longer loses its uploads. */
const LEASE_SECONDS = 600;

/** The most records that a sweep reads at once. */
const BATCH = 100;

export function openUploads(leases: Leases, unrecorded: Pick<UnrecordedUploads, 'abortOf'>): OpenUploads {
  /** Resolves to false if it has to be tried again later. */
  const abort = async (client: S3Client, owner: string, upload: UploadRecord): Promise<boolean> => {
    const { bucket, key, uploadId, begunAt } = upload;
    if (uploadId === undefined) return unrecorded.abortOf(owner, client, { bucket, key }, begunAt);
    await ifFound(client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId })));
    return true;
  };
  return {
    record: async (bucket, key, begin) => {
      const id = { name: `${UPLOAD_LEASES}${randomUUID()}`, holder: randomUUID() };
      const upload: UploadRecord = { bucket, key, begunAt: Date.now() };
      const write = (data: UploadRecord) => leases.take({ ...id, data: JSON.stringify(data) }, LEASE_SECONDS);
      await write(upload);
      await write({ ...upload, uploadId: await begin() });
      const renewing = keepLease(leases, id, LEASE_SECONDS);
      const leave = (): void => renewing[Symbol.dispose]();
      return {
        leave,
        remove: async () => {
          leave();
          // If this fails, a sweep finds that there is no such upload.
          await leases.release(id).catch(() => undefined);
        },
      };
    },
    sweep: async (client) => {
      const holder = randomUUID();
      const errors: unknown[] = [];
      for (let more = true; more; ) {
        const expired = await leases.expired(UPLOAD_LEASES, BATCH);
        for (const { name, data } of expired) {
          // The lease keeps the other services away. If the abort fails, it expires, and a later sweep tries again.
          if (!(await leases.take({ name, holder }, LEASE_SECONDS))) continue;
          try {
            if (data === undefined || (await abort(client, name, readRecord(data))))
              await leases.release({ name, holder });
          } catch (error) {
            errors.push(error);
          }
        }
        more = expired.length === BATCH;
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}
