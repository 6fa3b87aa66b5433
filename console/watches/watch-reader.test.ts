import { expect, test } from 'vitest';
import { watchReader } from './watch-reader.ts';

/** A fake query client: each read ends when the test calls `endRead`, and `read` has the keys of all reads. */
function reads() {
  const keys: string[] = [];
  let ends: (() => void)[] = [];
  const queries = {
    invalidateQueries: ({ queryKey = [] }: { readonly queryKey?: readonly unknown[] } = {}) => {
      keys.push(queryKey.join(' '));
      return new Promise<void>((resolve) => ends.push(resolve));
    },
  };
  const endReads = async (): Promise<void> => {
    const ending = ends;
    ends = [];
    for (const end of ending) end();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { reader: watchReader(queries), keys, endReads };
}

test('events during a read lead to one more read after it', async () => {
  const { reader, keys, endReads } = reads();
  for (let i = 0; i < 5; i += 1) reader.read('w');
  expect(keys).toEqual(['watches', 'watch w', 'watched-files w']);
  await endReads();
  expect(keys).toHaveLength(6);
  await endReads();
  expect(keys).toHaveLength(6);
});

test('an event without a watch lets all watches be read', async () => {
  const { reader, keys, endReads } = reads();
  reader.read('w');
  reader.read();
  await endReads();
  expect(keys.slice(3)).toEqual(['watches', 'watch', 'watched-files']);
});
