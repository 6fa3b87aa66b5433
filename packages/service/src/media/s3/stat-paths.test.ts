import type { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import { s3Root } from './location.ts';
import { createPathStats } from './stat-paths.ts';

const LOCATION = { bucket: 'media', prefix: 'amy/' };
const ROOT = s3Root({ bucket: 'media', prefix: '' }, 'amy');

/** A bucket with these keys. `prefixes`: the prefixes of all lists. `most`: the most lists at the same time. */
function bucketWith(keys: readonly string[]) {
  const seen = { prefixes: [] as string[], running: 0, most: 0 };
  const send = async ({ input: { Prefix = '' } }: ListObjectsV2Command) => {
    seen.prefixes.push(Prefix);
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await new Promise(setImmediate);
    seen.running -= 1;
    const found = keys.toSorted().filter((key) => key.startsWith(Prefix));
    return {
      EncodingType: 'url',
      KeyCount: Math.min(found.length, 1),
      Contents: found.slice(0, 1).map((key) => ({ Key: encodeURIComponent(key) })),
    };
  };
  const client = { send } as unknown as S3Client;
  const stat = createPathStats({ ofPath: () => ({ client, location: LOCATION }) });
  return { seen, stat: (paths: readonly string[]) => stat(ROOT, paths as readonly MediaPath[]) };
}

test('one list of one key tells of most paths what they are', async () => {
  const { seen, stat } = bucketWith(['amy/a b.mp4', 'amy/folder/c.mp4', 'amy/Ü+.mp4']);
  const stats = await stat(['a b.mp4', 'folder', 'Ü+.mp4', 'gone.mp4']);
  expect(stats.map(({ kind }) => kind)).toEqual(['file', 'directory', 'file', 'missing']);
  expect(seen.prefixes).toEqual(['amy/a b.mp4', 'amy/folder', 'amy/Ü+.mp4', 'amy/gone.mp4']);
});

test('a folder is found behind keys that begin like it', async () => {
  const { stat } = bucketWith(['amy/a-b.mp4', 'amy/a/c.mp4', 'amy/d-e.mp4']);
  expect((await stat(['a', 'd'])).map(({ kind }) => kind)).toEqual(['directory', 'missing']);
});

test('of many paths of a submission, few are looked at together', async () => {
  const { seen, stat } = bucketWith([]);
  const paths = Array.from({ length: 50 }, (_, i) => `${i}.png`);
  await stat(paths);
  expect(seen.prefixes).toHaveLength(50);
  expect(seen.most).toBe(8);
});
