import type { ListObjectsV2CommandInput, S3Client } from '@aws-sdk/client-s3';
import { fileSearch } from '@telecine/contract/domain/file-search.ts';
import { expect, test } from 'vitest';
import type { Bucket } from '../bucket.ts';
import { searchObjects } from './search.ts';

/** A store with these keys, whose lists have one key each, with `empty` lists of none before it. `lists`: how many it has sent. */
function storeOf(keys: readonly string[], empty: number) {
  const sent = { lists: 0 };
  const send = async ({
    input: { StartAfter = '', ContinuationToken },
  }: {
    readonly input: ListObjectsV2CommandInput;
  }) => {
    sent.lists += 1;
    const start = [keys.findIndex((key) => key > StartAfter), empty];
    const [index = -1, left = 0] = ContinuationToken?.split(':').map(Number) ?? start;
    const Key = keys[index];
    if (Key === undefined) return { IsTruncated: false };
    if (left > 0) return { IsTruncated: true, NextContinuationToken: `${index}:${left - 1}` };
    const object = { Key, Size: 1, ETag: '"e"', LastModified: new Date(0) };
    return {
      Contents: [object],
      IsTruncated: index + 1 < keys.length,
      NextContinuationToken: `${index + 1}:${empty}`,
    };
  };
  const bucket: Bucket = { client: { send } as unknown as S3Client, location: { bucket: 'media', prefix: 'amy/' } };
  /** A page of a search for `x`, and the number of its lists. */
  const search = async (after: string) => {
    const before = sent.lists;
    const query = { folder: '', nameStart: '', limit: 100, maxNames: 10_000, matches: fileSearch('x') };
    const { entries, nextAfter } = await searchObjects(
      bucket,
      { ...query, ...(after !== '' && { after }) },
      new AbortController().signal,
    );
    return { paths: entries.map(({ path }) => path), nextAfter, lists: sent.lists - before };
  };
  return { search };
}

const KEYS = Array.from({ length: 25 }, (_, index) => `amy/x${index + 10}`);

test('a page of a search takes at most ten lists of a store whose lists are short', async () => {
  const { search } = storeOf(KEYS, 0);
  const paths: string[] = [];
  const lists: number[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await search(after);
    paths.push(...page.paths);
    lists.push(page.lists);
    after = page.nextAfter;
  }
  expect(paths).toEqual(KEYS.map((key) => key.slice('amy/'.length)));
  expect(lists).toEqual([10, 10, 5]);
});

test('a page of a search goes on through empty lists until it has a name to continue after', async () => {
  const { search } = storeOf(KEYS.slice(0, 2), 12);
  const first = await search('');
  expect(first).toEqual({ paths: ['x10'], nextAfter: 'x10', lists: 13 });
  expect(await search('x10')).toEqual({ paths: ['x11'], nextAfter: undefined, lists: 13 });
});
