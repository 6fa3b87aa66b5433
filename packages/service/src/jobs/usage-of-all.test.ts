import { expect, test } from 'vitest';
import type { ClientUse } from './ports/job-records.ts';
import { readUsageOfAll } from './usage-of-all.ts';

const NOW = new Date('2026-11-20T10:00:00.000Z');
const use = (clientId: string, storedBytes: number, more: Partial<ClientUse> = {}): ClientUse => ({
  ...{ clientId, storedBytes, binBytes: 0, jobs: 0, mediaSeconds: 0 },
  ...more,
});

const CLIENTS = [
  use('shop', 50, { binBytes: 5, limits: { storage: 100 } }),
  use('blog', 20, { limits: { storage: null } }),
  use('none', 0),
];

function world(space?: { readonly usedBytes: number; readonly freeBytes: number }) {
  return {
    usage: {
      ofAll: async (_day: string, { limit, offset }: { readonly limit: number; readonly offset: number }) => ({
        clients: CLIENTS.slice(offset, offset + limit),
        total: { clients: 3, storedBytes: 70, binBytes: 5 },
      }),
    },
    media: space === undefined ? {} : { diskSpace: async () => space },
    defaultLimits: { storage: 60 },
    now: () => NOW,
  };
}

test('what clients store, what is in bins, other data and the free space add up to the disk', async () => {
  const { disk, total, clients } = await readUsageOfAll(world({ usedBytes: 90, freeBytes: 10 }), { limit: 9 });
  expect(disk).toEqual({ totalBytes: 100, freeBytes: 10, otherBytes: 15 });
  expect(total.storedBytes + total.binBytes + (disk?.otherBytes ?? 0) + (disk?.freeBytes ?? 0)).toBe(disk?.totalBytes);
  // A limit of its own, none, and that of all clients.
  expect(clients.map(({ clientId, storageLimit }) => [clientId, storageLimit])).toEqual([
    ['shop', 100],
    ['blog', undefined],
    ['none', 60],
  ]);
  expect(clients[0]).not.toHaveProperty('limits');
});

test('files that have just been counted are not less than nothing of the disk', async () => {
  const { disk } = await readUsageOfAll(world({ usedBytes: 40, freeBytes: 60 }), { limit: 9 });
  expect(disk?.otherBytes).toBe(0);
});

test('media in a bucket have no disk', async () => {
  expect(await readUsageOfAll(world(), { limit: 9 })).not.toHaveProperty('disk');
});

test('clients are listed page by page', async () => {
  const first = await readUsageOfAll(world(), { limit: 2 });
  expect(first.clients.map(({ clientId }) => clientId)).toEqual(['shop', 'blog']);
  const second = await readUsageOfAll(world(), { limit: 2, cursor: first.nextCursor });
  expect(second.clients.map(({ clientId }) => clientId)).toEqual(['none']);
  expect(second.nextCursor).toBeUndefined();
  await expect(readUsageOfAll(world(), { limit: 2, cursor: 'x' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});
