import { type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { uploadPartBytes } from '../part-sizes.ts';

interface PartsOptions {
  /** The size of the file. undefined: it is unknown. */
  readonly sizeBytes: number | undefined;
  /** Where the first part begins: a multiple of the size of a part. */
  readonly start: number;
  /** Returns the id of the multipart upload. Called before each part. */
  begin(): Promise<string>;
  /** Called after each part, in their order, with the offset at its end. */
  onSent(offsetBytes: number): Promise<void>;
}

/** Sends the bytes of an upload in parts while more bytes arrive. Keeps those that do not fill a part. */
export function partSender(
  client: S3Client,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  { sizeBytes, start, begin, onSent }: PartsOptions,
) {
  let chunks: Uint8Array[] = [];
  let restBytes = 0;
  let end = start;
  let count = start / uploadPartBytes(0, sizeBytes);
  let settled: Promise<unknown> = Promise.resolve();
  let [allButLast, all]: Promise<void>[] = [settled.then(), settled.then()];

  const send = async (Body: Uint8Array): Promise<void> => {
    // Send two parts at the same time; each is in memory. The second one avoids pauses between parts.
    await allButLast;
    const UploadId = await begin();
    count += 1;
    end += Body.length;
    const [PartNumber, offset, earlier] = [count, end, all];
    const command = new UploadPartCommand({ Bucket: bucket, Key: key, UploadId, PartNumber, Body });
    const sending = client.send(command);
    settled = Promise.allSettled([settled, sending]);
    [allButLast, all] = [earlier, Promise.all([earlier, sending]).then(() => onSent(offset))];
    // Ignore the error here: the next call throws it.
    all.catch(() => undefined);
  };
  const rest = (): Buffer => Buffer.concat(chunks);
  return {
    /** The bytes after the last part. */
    rest,
    add: async (chunk: Uint8Array): Promise<void> => {
      chunks.push(chunk);
      restBytes += chunk.length;
      for (let size = uploadPartBytes(count, sizeBytes); restBytes >= size; size = uploadPartBytes(count, sizeBytes)) {
        const joined = rest();
        chunks = [joined.subarray(size)];
        restBytes -= size;
        await send(joined.subarray(0, size));
      }
    },
    /** Waits until all parts are sent, and returns the offset at their end. */
    flush: async (): Promise<number> => {
      await all;
      return end;
    },
    /** Sends the rest as the last part, and waits until all parts are sent. */
    finish: async (): Promise<void> => {
      if (restBytes > 0) await send(rest());
      [chunks, restBytes] = [[], 0];
      await all;
    },
    /** Waits until no part is being sent, whatever became of it. */
    settle: async (): Promise<void> => {
      await settled;
    },
  };
}
