import { expect, test, vi } from 'vitest';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { inSteps } from '../../packages/contract/src/domain/steps.ts';
import type { FileFacts, UploadParts, UploadRecord } from '../../packages/service/src/files/ports.ts';
import { sweepUploads } from '../../packages/service/src/files/sweep-uploads.ts';
import { lockUpload } from '../../packages/service/src/files/upload-locks.ts';
import { type UploadOperations, uploadOperations } from '../../packages/service/src/files/uploads.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { at } from '../fixtures/media-plans.ts';
import { UNCOUNTED, WITHOUT_BIN } from '../support/uncounted-files.ts';

const record = (uploadId: string): UploadRecord => ({
  uploadId,
  clientId: 'amy',
  path: at('film.mov'),
  sizeBytes: 10,
  offsetBytes: 0,
  metadata: '',
  precondition: '{}',
  data: '{}',
  isPublished: false,
});

/** A sweep of a new database. `onRemove`: called before the bytes of an upload are removed. `onPublish`: called before a file appears. */
async function openSweep(
  onRemove: () => Promise<void> = async () => {},
  onPublish: () => Promise<void> = async () => {},
) {
  const { store } = await sqlite.open();
  const removed: string[] = [];
  const stored: string[] = [];
  const events: string[] = [];
  const parts = {
    remove: async ({ uploadId }) => {
      await onRemove();
      removed.push(uploadId);
    },
    list: async () => stored,
    begin: async () => {},
    publish: async () => {
      await onPublish();
      return { file: {} as FileFacts, before: undefined };
    },
  } satisfies Omit<UploadParts, 'append'>;
  const deps = {
    store: store.resumableUploads,
    leases: store.leases,
    parts: parts as unknown as UploadParts,
    onEvent: (event: string) => void events.push(event),
    log: { warn: () => {} },
  };
  const sweep = () => sweepUploads(deps);
  const operations = uploadOperations({
    ...deps,
    stored: UNCOUNTED,
    withRoom: WITHOUT_BIN,
    keepSeconds: 0,
    maxBytes: 100,
    expirySeconds: 86_400,
  });
  return { store, stored, removed, events, sweep, operations };
}

test('an upload that a slow request still writes to is not removed, although its time is over', async () => {
  const { store, removed, sweep } = await openSweep();
  for (const id of ['slow', 'unused'])
    await store.resumableUploads.add(record(id), 'hers', -1, { maxOpen: 10, maxPublished: 10 });
  const lock = await lockUpload(store.leases, 'slow', () => {});
  await sweep();
  expect(removed).toEqual(['unused']);
  await lock.release();
  await sweep();
  expect(removed).toEqual(['unused', 'slow']);
});

test('services that sweep at once remove and count each upload once', async () => {
  const { store, removed, events, sweep } = await openSweep();
  for (const id of ['a', 'b', 'c'])
    await store.resumableUploads.add(record(id), 'hers', -1, { maxOpen: 10, maxPublished: 10 });
  await Promise.all([sweep(), sweep(), sweep()]);
  expect(removed.sort()).toEqual(['a', 'b', 'c']);
  expect(events).toEqual(['expired', 'expired', 'expired']);
});

test('bytes without a record are removed, as a restored backup of the database leaves them', async () => {
  const { store, stored, removed, events, sweep } = await openSweep();
  stored.push('of the lost record', 'in use');
  await store.resumableUploads.add(record('in use'), 'hers', 60, { maxOpen: 10, maxPublished: 10 });
  await sweep();
  expect(removed).toEqual(['of the lost record']);
  expect(events).toEqual([]);
});

test('a link takes another file in place of one that was not stored, but not if a crash may have left the file', async () => {
  const { store, sweep } = await openSweep();
  const [createdAt, expiresAt] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString()) as [
    string,
    string,
  ];
  const link = { shareId: 'link', clientId: 'amy', path: at('in'), maxFiles: 9, createdAt, expiresAt, uses: 0 };
  await store.shares.add(link, 'hash', 9);
  const limits = { maxOpen: 10, maxPublished: 10, shareId: 'link' };
  for (const terms of [{ shareId: 'link' }, { shareId: 'link', isAppearing: true }])
    await store.resumableUploads.add(
      { ...record(JSON.stringify(terms)), precondition: JSON.stringify(terms) },
      'hers',
      -1,
      limits,
    );
  expect((await store.shares.find('hash'))?.uses).toBe(2);
  await sweep();
  expect((await store.shares.find('hash'))?.uses).toBe(1);
});

const CALLER = { clientId: 'amy', scopes: [], policy: {}, root: { pathPrefix: '' } as unknown as MediaRoot };

test('an upload by a link is marked while its file appears, and no longer once it has failed', async () => {
  let hasFailed = false;
  const marks: unknown[] = [];
  const publish = async (): Promise<void> => {
    marks.push(JSON.parse((await t.store.resumableUploads.find('amy', 'upload'))?.precondition ?? '{}'));
    if (hasFailed) return;
    hasFailed = true;
    throw new Error('The disk fails.');
  };
  const t = await openSweep(async () => {}, publish);
  const [createdAt, expiresAt] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString()) as [
    string,
    string,
  ];
  const share = { shareId: 'link', clientId: 'amy', path: at('in'), maxFiles: 1, createdAt, expiresAt, uses: 0 };
  await t.store.shares.add(share, 'hash', 9);
  const uses = async () => (await t.store.shares.find('hash'))?.uses;
  const lock = { holder: 'holder' };
  const context = { caller: CALLER, link: { shareId: 'link', folder: 'in/', maxBytes: 9 }, lock };
  const sent = { uploadId: 'upload', path: 'a.mov', sizeBytes: 0, metadata: '', precondition: {} };
  await expect(t.operations.create(context, sent)).rejects.toThrow('fails');
  expect([await uses(), await t.store.resumableUploads.find('amy', 'upload')]).toEqual([0, undefined]);
  await t.operations.create(context, sent);
  expect(marks).toMatchObject([{ isAppearing: true }, { isAppearing: true }]);
  expect([await uses(), (await t.operations.find(context, 'upload')).precondition]).toEqual([1, '{"shareId":"link"}']);
  await expect(t.operations.create(context, { ...sent, uploadId: 'other' })).rejects.toMatchObject({
    code: 'LINK_USED',
  });
});

/** Creates empty uploads, some at a time, which are published at once. Returns their ids, in order. */
async function createEmpty(operations: UploadOperations, count: number, metadata = '') {
  const ids = Array.from({ length: count }, (_, index) => `upload ${String(index).padStart(4, '0')}`);
  const create = (uploadId: string) => {
    const lock = { holder: uploadId, release: async () => {} };
    const request = { uploadId, path: 'film.mov', sizeBytes: 0, metadata, precondition: {} };
    return operations.create({ caller: CALLER, lock, onAppeared: async () => {} }, request);
  };
  for await (const some of inSteps(ids, 50)) await Promise.all(some.map(create));
  return ids;
}

test('a client that publishes any number of uploads leaves 1,000 records', async () => {
  const { store, operations } = await openSweep();
  // The last one is alone, so that no other is published after it was added.
  const ids = await createEmpty(operations, 1101);
  expect((await store.resumableUploads.recorded(ids)).size).toBe(1000);
  expect(await operations.find({ caller: CALLER }, ids.at(-1) ?? '')).toMatchObject({ isPublished: true });
});

test('published uploads are removed many at a time, without a lock and without a look at their bytes', async () => {
  const { store, removed, events, operations, sweep } = await openSweep();
  const ids = await createEmpty(operations, 150);
  for (const id of ids) await store.resumableUploads.save(id, id, {}, -1);
  removed.length = 0;
  const take = vi.spyOn(store.leases, 'take');
  const remove = vi.spyOn(store.resumableUploads, 'remove');
  await sweep();
  expect((await store.resumableUploads.recorded(ids)).size).toBe(0);
  expect([take.mock.calls.length, remove.mock.calls.length, removed]).toEqual([0, 0, []]);
  expect(events).not.toContain('expired');
});

test('rejects metadata that are too long, with the limit', async () => {
  const { operations } = await openSweep();
  await createEmpty(operations, 1, `path ${'a'.repeat(6139)}`);
  await expect(createEmpty(operations, 1, `path ${'a'.repeat(6140)}`)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    errors: [{ field: '/metadata', code: 'TOO_LONG' }],
  });
});
