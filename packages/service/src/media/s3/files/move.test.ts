import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import { type MoveDeps, moveFolder } from './move.ts';

/** A bucket in which a folder `m/` has a key of 1024 bytes, the most that S3 allows. It can only be listed. */
function withLongKey(): MoveDeps {
  const Key = `amy/m/${'k'.repeat(1018)}`;
  const send = async (command: unknown) => {
    if (!(command instanceof ListObjectsV2Command)) throw new Error('Nothing but a list is expected.');
    return { EncodingType: 'url', KeyCount: 1, Contents: [{ Key }] };
  };
  return { client: { send } as unknown as S3Client, location: { bucket: 'media', prefix: 'amy/' } } as MoveDeps;
}

test('a folder is not moved to a path at which a key would be too long', async () => {
  await expect(moveFolder(withLongKey(), 'm' as MediaPath, 'nn' as MediaPath)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    errors: [
      {
        ...{ field: '/to', code: 'TOO_LONG' },
        message: 'The key of a file in the folder would have 1025 bytes. 1024 are allowed.',
      },
    ],
  });
});
