import { describe, expect, test } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { Share } from '../../packages/contract/src/domain/share.ts';
import type { Engine } from './engine.ts';

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/** A share that works for another hour. The ids sort as they are numbered. */
const share = (number: number, change: Partial<Share> = {}): Share => ({
  shareId: `0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e${String(number).padStart(2, '0')}`,
  clientId: 'amy',
  path: 'out.mp4' as MediaPath,
  fingerprint: 'f1',
  createdAt: at(-60),
  expiresAt: at(3600),
  uses: 0,
  ...change,
});

export function sharesContract(engine: Engine): void {
  describe(`shares on ${engine.name}`, () => {
    test('a share is found by the hash of its link alone, as it was stored', async () => {
      const { shares } = await engine.openStore();
      const {
        path: _,
        fingerprint: __,
        ...ofJob
      } = share(2, {
        ...{ jobId: share(9).shareId, note: 'for Ada' },
        ...{ folder: 'hls/', sizeBytes: 20_000_000_000 },
      });
      expect(await shares.add(share(1), 'hash-1', 10)).toBe(true);
      expect(await shares.add(ofJob, 'hash-2', 10)).toBe(true);
      expect(await shares.find('hash-1')).toEqual(share(1, await times(shares.find('hash-1'))));
      expect(await shares.find('hash-2')).toMatchObject({
        ...{ jobId: ofJob.jobId, note: 'for Ada' },
        ...{ folder: 'hls/', sizeBytes: 20_000_000_000 },
      });
      expect(await shares.find('hash-3')).toBeUndefined();
    });

    test('the shares that work are listed, newest first, of one client or of all, in pages', async () => {
      const { shares } = await engine.openStore();
      await shares.add(share(1), 'hash-1', 10);
      await shares.add(share(2, { clientId: 'bob' }), 'hash-2', 10);
      await shares.add(share(3), 'hash-3', 10);
      await shares.add(share(4, { expiresAt: at(-5) }), 'hash-4', 10);
      const idsOf = (found: readonly Share[]) => found.map(({ shareId }) => Number(shareId.slice(-2)));
      expect(idsOf(await shares.list({ limit: 10 }))).toEqual([3, 2, 1]);
      expect(idsOf(await shares.list({ clientId: 'amy', limit: 10 }))).toEqual([3, 1]);
      expect(idsOf(await shares.list({ limit: 2 }))).toEqual([3, 2]);
      expect(idsOf(await shares.list({ limit: 2, before: share(2).shareId }))).toEqual([1]);
    });

    test('a client has at most so many shares that work, also if it adds many at once', async () => {
      const { shares } = await engine.openStore();
      await shares.add(share(1, { expiresAt: at(-5) }), 'hash-1', 3);
      const added = await Promise.all([2, 3, 4, 5, 6, 7].map((n) => shares.add(share(n), `hash-${n}`, 3)));
      expect(added.filter(Boolean)).toHaveLength(3);
      expect(await shares.add(share(8, { clientId: 'bob' }), 'hash-8', 3)).toBe(true);
      expect(await shares.add(share(9, { clientId: 'carl' }), 'hash-9', 0)).toBe(false);
    });

    test('a share is gone at once when it is removed, and only by its client', async () => {
      const { shares } = await engine.openStore();
      await shares.add(share(1), 'hash-1', 10);
      expect(await shares.remove(share(1).shareId, 'bob')).toBeUndefined();
      expect(await shares.find('hash-1')).toBeDefined();
      expect(await shares.remove(share(1).shareId, 'amy')).toMatchObject({ path: 'out.mp4' });
      expect([await shares.find('hash-1'), await shares.remove(share(1).shareId)]).toEqual([undefined, undefined]);
      await shares.add(share(2), 'hash-2', 10);
      expect(await shares.remove(share(2).shareId)).toMatchObject({ clientId: 'amy' });
    });

    test('counts uses, and notes the time of the last', async () => {
      const { shares } = await engine.openStore();
      await shares.add(share(1), 'hash-1', 10);
      await shares.addUses(new Map([[share(1).shareId, 2]]));
      await shares.addUses(
        new Map([
          [share(1).shareId, 3],
          [share(7).shareId, 1],
        ]),
      );
      await shares.addUses(new Map());
      const { uses, lastUsedAt = '' } = (await shares.find('hash-1')) ?? {};
      expect(uses).toBe(5);
      expect(Math.abs(Date.parse(lastUsedAt) - Date.now())).toBeLessThan(60_000);
    });

    test('an expired share is kept for a while, so that its link says so', async () => {
      const { shares } = await engine.openStore();
      await shares.add(share(1, { expiresAt: at(-100) }), 'hash-1', 10);
      await shares.add(share(2, { expiresAt: at(-300) }), 'hash-2', 10);
      await shares.add(share(3, { expiresAt: at(-400) }), 'hash-3', 10);
      await shares.add(share(4), 'hash-4', 10);
      expect(await shares.removeExpired(200, 1)).toBe(1);
      expect(await shares.removeExpired(200, 10)).toBe(1);
      expect(await shares.removeExpired(200, 10)).toBe(0);
      const left = await Promise.all(['hash-1', 'hash-2', 'hash-3', 'hash-4'].map((hash) => shares.find(hash)));
      expect(left.map((one) => one !== undefined)).toEqual([true, false, false, true]);
    });
  });
}

/** The times of a stored share, which differ between two calls of `share`. */
async function times(found: Promise<Share | undefined>): Promise<Partial<Share>> {
  const { createdAt = '', expiresAt = '' } = (await found) ?? {};
  return { createdAt, expiresAt };
}
