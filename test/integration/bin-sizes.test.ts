import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../packages/contract/src/domain/client.ts';
import { deletePaths, listBin } from '../../packages/service/src/files/bin.ts';
import { openLocalFiles } from '../fixtures/local-files.ts';
import { at } from '../fixtures/media-plans.ts';
import { memoryBin } from '../support/memory-bin.ts';
import { replaceFsCall } from '../support/replace-fs-call.ts';
import { NO_OTHERS } from '../support/uncounted-files.ts';

test('a symlink in a deleted folder takes none of the quota of its client', async () => {
  const t = await openLocalFiles();
  onTestFinished(() => t.close());
  await mkdir(join(t.mediaRoot, 'm'));
  for (const name of ['m/a.mov', 'm/b.mov']) await writeFile(join(t.mediaRoot, name), Buffer.alloc(1000));
  await writeFile(join(t.mediaRoot, 'big.mov'), '');
  await truncate(join(t.mediaRoot, 'big.mov'), 5_000_000_000);
  await symlink('../big.mov', join(t.mediaRoot, 'm/link.mov'));
  const caller = { clientId: 'amy', root: t.root, policy: { storage: 10_000 } } as Caller;
  const deps = {
    ...{ bin: memoryBin(), keepSeconds: 60, store: t.files, others: NO_OTHERS, recount: async () => {} },
    stored: { find: async () => [], below: async () => [], count: async () => {}, used: async () => 0 },
    unfinished: { unfinished: async function* () {} },
  };
  const { failed } = await deletePaths(deps, caller, { paths: ['m/'], keep: true }, async () => {});
  expect(failed).toEqual([]);
  expect((await listBin(deps, caller, 9)).entries).toMatchObject([{ path: 'm/', bytes: 2000 }]);
});

test('the read of a large folder ends when its client leaves', async () => {
  const t = await openLocalFiles();
  onTestFinished(() => t.close());
  await mkdir(join(t.mediaRoot, 'm'));
  for (let i = 0; i < 200; i += 1) await writeFile(join(t.mediaRoot, `m/${i}.mov`), '');
  const left = new Error('The client has left.');
  const abort = new AbortController();
  let calls = 0;
  replaceFsCall(
    'lstat',
    (lstat) =>
      ((...values: Parameters<typeof lstat>) => {
        calls += 1;
        abort.abort(left);
        return lstat(...values);
      }) as typeof lstat,
  );
  await expect(t.files.listTree(t.root, at('m'), 1000, abort.signal)).rejects.toBe(left);
  expect(calls).toBeLessThan(100);
});
