import {
  AbortMultipartUploadCommand,
  type CreateMultipartUploadCommandOutput,
  ListMultipartUploadsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Leases } from '../../../files/ports.ts';
import type { OutputUploads } from '../../../jobs/ports/output-uploads.ts';
import { ifFound } from '../errors.ts';
import { readRecord, UPLOAD_LEASES } from './upload-record.ts';

/** How much the clock of the object store may be behind ours. */
const CLOCK_SKEW_MS = 60_000;

/** Removes the multipart uploads that a lost reply has left. */
export interface RepeatedUploads {
  /**
   * Aborts the uploads to a key that are not older than `begunAt` (milliseconds) and that no service has recorded, if the
   * request that began the upload of the caller was repeated: the SDK repeats it when its reply is lost, and the server has
   * then begun an upload whose id nobody knows. Call this when the upload of the caller is recorded with its id. Does
   * nothing while another upload to the key is recorded without its id.
   */
  abort(
    client: S3Client,
    target: { readonly bucket: string; readonly key: string },
    begunAt: number,
    reply: Pick<CreateMultipartUploadCommandOutput, '$metadata'>,
  ): Promise<void>;
}

export function repeatedUploads(
  leases: Pick<Leases, 'list'>,
  outputs: Pick<OutputUploads, 'recordedFor'>,
): RepeatedUploads {
  /** The ids of the recorded uploads to a key; an upload that has none yet is undefined. */
  const recordedIds = async (bucket: string, key: string): Promise<readonly (string | undefined)[]> => {
    const ofClients = (await leases.list(UPLOAD_LEASES))
      .flatMap(({ data }) => (data === undefined ? [] : [readRecord(data)]))
      .filter((record) => record.bucket === bucket && record.key === key);
    return [...(await outputs.recordedFor(bucket, key)), ...ofClients].map(({ uploadId }) => uploadId);
  };
  return {
    abort: async (client, { bucket, key }, begunAt, { $metadata: { attempts = 1 } }) => {
      if (attempts === 1) return;
      // First the list: an upload that begins later is not in it, and one that is in it is recorded by now, or has no id yet.
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key }));
      const recorded = await recordedIds(bucket, key);
      if (recorded.includes(undefined)) return;
      for (const { Key, UploadId, Initiated } of Uploads)
        if (Key === key && !recorded.includes(UploadId) && (Initiated?.getTime() ?? 0) >= begunAt - CLOCK_SKEW_MS)
          await ifFound(client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId })));
    },
  };
}
