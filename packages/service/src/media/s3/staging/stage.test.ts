import type { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import type { Bucket } from '../bucket.ts';
import { listInputs } from './stage.ts';

test('lists each part of a bucket by itself, with its own credentials', async () => {
  const prefixes: string[] = [];
  const bucketOf = (prefix: string): Bucket => ({
    location: { bucket: 'films', prefix, address: `s3://films/${prefix}` },
    client: {
      send: async ({ input }: ListObjectsV2Command) => {
        if (!input.Prefix?.startsWith(prefix)) throw new Error('The credentials allow no list of other parts.');
        prefixes.push(input.Prefix);
        return { EncodingType: 'url', Contents: [{ Key: `${prefix}1.mp4`, Size: 1, ETag: '"e"' }] };
      },
    } as unknown as S3Client,
  });
  const buckets = [bucketOf('x/'), bucketOf('y/')];
  const inputs = [1, 2, 3].flatMap((i) =>
    ['x', 'y'].map((part) => ({
      path: `s3://films/${part}/${i}.mp4` as MediaPath,
      logical: `in/${i}.mp4`,
      field: '/input',
    })),
  );
  const ofPath = (path: MediaPath) => buckets.find(({ location: { address = '' } }) => path.startsWith(address));
  const listed = await listInputs(ofPath, inputs, new AbortController().signal);
  expect([prefixes, [...listed.keys()]]).toEqual([
    ['x/', 'y/'],
    ['films/x/1.mp4', 'films/y/1.mp4'],
  ]);
});
