import type { Caller } from '@telecine/contract/domain/client.ts';
import { MAX_ENTRIES, MIN_ENTRIES } from '@telecine/contract/domain/each-file.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test, vi } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { expandEach } from './expand-each.ts';

const caller: Caller = { clientId: 'amy', scopes: ['files:read'], root: mediaRoot('/media'), policy: {} };

test('patterns that match few of very many files are bounded by the number of reads', async () => {
  const list = vi.fn(async (_caller: Caller, { prefix }: { readonly prefix: string }) => ({
    entries: [{ kind: 'file' as const, path: prefix as MediaPath, bytes: 1, modifiedAt: new Date(0) }],
  }));
  const near = async () => undefined;
  const expand = (count: number) =>
    expandEach(
      Array.from({ length: count }, (_, at) => ({ each: `in/${at}.wav`, request: { output: '{name}.mp3' } })),
      { files: { list: list as never, near }, caller, signal: new AbortController().signal },
    );
  const most = MAX_ENTRIES / MIN_ENTRIES;
  expect(await expand(most)).toHaveLength(most);
  list.mockClear();
  await expect(expand(100)).rejects.toMatchObject({
    errors: [{ field: `/requests/${most}/each`, code: 'TOO_MANY' }],
  });
  expect(list).toHaveBeenCalledTimes(most);
});
