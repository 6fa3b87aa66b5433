import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import type { PublishDeps } from './prepare.ts';
import { publish } from './publish.ts';

test('completes an upload with all its parts, although the server lists only some at once', async () => {
  let completed: readonly CompletedPart[] = [];
  const send = async (command: { readonly input: object }): Promise<object> => {
    if (command instanceof HeadObjectCommand)
      throw new S3ServiceException({ name: 'NotFound', $fault: 'client', $metadata: { httpStatusCode: 404 } });
    if (command instanceof ListPartsCommand) {
      const last = Number(command.input.PartNumberMarker ?? 0);
      const Parts = [last + 1, last + 2].map((PartNumber) => ({ PartNumber, ETag: `"${PartNumber}"` }));
      return { Parts, IsTruncated: last + 2 < 6, NextPartNumberMarker: `${last + 2}` };
    }
    if (command instanceof CompleteMultipartUploadCommand) completed = command.input.MultipartUpload?.Parts ?? [];
    return { $metadata: { attempts: 1 } };
  };
  const deps = {
    client: { send } as unknown as S3Client,
    uploads: { find: async () => ({ uploads: [{}], hasReserved: false }), forgetUploads: async () => undefined },
    locks: { reserve: async () => undefined },
    failpoint: () => undefined,
  } as unknown as PublishDeps;
  const object = { key: 'o.mp4', path: 'o.mp4' as MediaPath, uploadId: 'id', fingerprint: 'job.1.0', rank: 0 };
  expect(await publish(deps, 'job.1', { bucket: 'b', replace: false, objects: [object] }, true)).toBe(true);
  expect(completed.map(({ PartNumber }) => PartNumber)).toEqual([1, 2, 3, 4, 5, 6]);
});
