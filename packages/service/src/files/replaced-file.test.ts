import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import { memoryBin } from '../../../../test/support/memory-bin.ts';
import { MAX_ENTRIES } from './add-to-bin.ts';
import type { FileFacts } from './ports.ts';
import { replacedFile } from './replaced-file.ts';

const AMY = { clientId: 'amy', root: { pathPrefix: '/srv/media', grants: [] }, policy: {} } as unknown as Caller;
const PATH = 'a.mp4' as MediaPath;
const factsOf = (fingerprint: string): FileFacts => ({
  ...{ path: PATH, sizeBytes: 5, modifiedAt: new Date(0), fingerprint },
});

function world() {
  const bin = memoryBin();
  const deps = { bin, stored: { find: async () => [] }, store: { purgeFromBin: async () => true }, keepSeconds: 60 };
  /** Begins one attempt to publish an upload, up to where the replaced file is in the bin. */
  const attempt = async (uploadId?: string, fingerprint = 'old') => {
    const replaced = replacedFile(deps, AMY, PATH, { uploadId });
    await replaced.record.add('{}', factsOf(fingerprint));
    return replaced;
  };
  return { bin, attempt };
}

test('an upload that is published again after a crash has one entry for the file that it replaces', async () => {
  const { bin, attempt } = world();
  // The service is killed: nothing ends the attempt, which holds its entry.
  await attempt('upload');
  const entry = await (await attempt('upload')).end();
  expect([bin.ids(), await bin.used('amy')]).toEqual([[entry?.entryId], 5]);
  expect(entry?.entryId, 'a UUID, as of every entry').toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(bin.postponed, 'kept as long as any other').toEqual([entry?.entryId]);
});

test('a full bin gives up its oldest entry for a replaced file, or the upload replaces nothing', async () => {
  const full = Array.from({ length: MAX_ENTRIES }, (_, index) => ({
    ...{ entryId: `full-${String(index).padStart(5, '0')}`, clientId: 'amy', path: 'b.mp4', bytes: 1 },
    ...{ counted: [], data: '', deletedAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-02T00:00:00.000Z' },
  }));
  const bin = memoryBin(full);
  let isMounted = true;
  const store = { purgeFromBin: async () => isMounted };
  const deps = { bin, stored: { find: async () => [] }, store, keepSeconds: 60 };
  const fits = replacedFile(deps, AMY, PATH);
  await fits.record.add('{}', factsOf('old'));
  const entry = await fits.end();
  expect([entry?.path, await bin.count('amy')]).toEqual([PATH, MAX_ENTRIES]);
  expect(await bin.find('amy', 'full-00000')).toBeUndefined();
  isMounted = false;
  const rejected = replacedFile(deps, AMY, PATH);
  await expect(rejected.record.add('{}', factsOf('new'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await rejected.record.remove();
  await rejected.abandon();
  expect([await rejected.end(), await bin.count('amy')]).toEqual([undefined, MAX_ENTRIES]);
});

test('other uploads, and other files at the path, have entries of their own', async () => {
  const { bin, attempt } = world();
  for (const [uploadId, fingerprint] of [['one'], ['one', 'newer'], ['two'], [undefined], [undefined]] as const)
    await (await attempt(uploadId, fingerprint)).end();
  expect(bin.ids()).toHaveLength(5);
});

test('an entry from before a crash that is being restored or deleted meanwhile stays as it is', async () => {
  for (const action of ['hold', 'give up'] as const) {
    const { bin, attempt } = world();
    const entry = await (await attempt('upload')).end();
    if (action === 'hold') await bin.hold(entry?.entryId ?? '', { holder: 'a restore', seconds: 60 });
    else await bin.giveUp(entry?.entryId ?? '');
    const { record, abandon } = replacedFile(
      { bin, stored: { find: async () => [] }, store: { purgeFromBin: async () => true }, keepSeconds: 60 },
      AMY,
      PATH,
      { uploadId: 'upload' },
    );
    await expect(record.add('{}', factsOf('old'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await record.remove();
    await abandon();
    expect(bin.ids(), action).toEqual([entry?.entryId]);
  }
});
