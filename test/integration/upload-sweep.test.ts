import { expect, test } from 'vitest';
import type { UploadParts, UploadRecord } from '../../src/files/ports/resumable-uploads.ts';
import { sweepUploads } from '../../src/files/uploads/sweep-uploads.ts';
import { uploadLocks } from '../../src/files/uploads/upload-locks.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { at } from '../fixtures/media-plans.ts';
import { UNCOUNTED } from '../support/uncounted-files.ts';

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

/** A sweep of a new database. `onRemove`: called before the bytes of an upload are removed. */
async function openSweep(onRemove: () => Promise<void> = async () => {}) {
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
  } satisfies Pick<UploadParts, 'remove' | 'list'>;
  const sweep = () =>
    sweepUploads({
      store: store.resumableUploads,
      leases: store.leases,
      parts: parts as unknown as UploadParts,
      recount: UNCOUNTED.recount,
      onEvent: (event) => void events.push(event),
      log: { warn: () => {} },
    });
  return { store, stored, removed, events, sweep };
}

test('an upload that a slow request still writes to is not removed, although its time is over', async () => {
  const { store, removed, sweep } = await openSweep();
  for (const id of ['slow', 'unused']) await store.resumableUploads.add(record(id), -1, { maxOpen: 10 });
  const lock = await uploadLocks(store.leases).lock('slow', new AbortController().signal, () => {});
  await sweep();
  expect(removed).toEqual(['unused']);
  await lock.release();
  await sweep();
  expect(removed).toEqual(['unused', 'slow']);
});

test('services that sweep at once remove and count each upload once', async () => {
  const { store, removed, events, sweep } = await openSweep();
  for (const id of ['a', 'b', 'c']) await store.resumableUploads.add(record(id), -1, { maxOpen: 10 });
  await Promise.all([sweep(), sweep(), sweep()]);
  expect(removed.sort()).toEqual(['a', 'b', 'c']);
  expect(events).toEqual(['expired', 'expired', 'expired']);
});

test('bytes without a record are removed, as a restored backup of the database leaves them', async () => {
  const { store, stored, removed, events, sweep } = await openSweep();
  stored.push('of the lost record', 'in use');
  await store.resumableUploads.add(record('in use'), 60, { maxOpen: 10 });
  await sweep();
  expect(removed).toEqual(['of the lost record']);
  expect(events).toEqual([]);
});
