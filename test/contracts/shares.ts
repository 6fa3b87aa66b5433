import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { AuditRecord } from '../../packages/contract/src/domain/audit.ts';
import { timeOfId } from '../../packages/contract/src/domain/id-order.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { SHARE_LIMITS, type Share, shareStateOf } from '../../packages/contract/src/domain/share.ts';
import { shareView } from '../../packages/contract/src/wire/share.ts';
import type { SharedBy } from '../../packages/service/src/files/ports.ts';
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

const recordOf = ({ shareId }: Share): AuditRecord => {
  const auditId = uuid();
  return { auditId, at: timeOfId(auditId), action: 'share.revoke', outcome: 'done', target: shareId };
};

const ALL = { hasEnded: true, limit: 100 };

const numbersOf = (found: readonly Share[]): readonly number[] => found.map(({ shareId }) => Number(shareId.slice(-2)));

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
      const list = async (query: object) => numbersOf(await shares.list({ ...ALL, hasEnded: false, ...query }));
      expect(await list({})).toEqual([3, 2, 1]);
      expect(await list({ clientId: 'amy' })).toEqual([3, 1]);
      expect(await list({ limit: 2 })).toEqual([3, 2]);
      expect(await list({ limit: 2, before: share(2).shareId })).toEqual([1]);
    });

    test('a client has at most so many shares that work, also if it adds many at once', async () => {
      const { shares } = await engine.openStore();
      await shares.add(share(1, { expiresAt: at(-5) }), 'hash-1', 3);
      const added = await Promise.all([2, 3, 4, 5, 6, 7].map((n) => shares.add(share(n), `hash-${n}`, 3)));
      expect(added.filter(Boolean)).toHaveLength(3);
      expect(await shares.add(share(8, { clientId: 'bob' }), 'hash-8', 3)).toBe(true);
      expect(await shares.add(share(9, { clientId: 'carl' }), 'hash-9', 0)).toBe(false);
      expect(await Promise.all(['amy', 'bob', 'carl'].map(shares.count)), 'those that have ended do not count').toEqual(
        [3, 1, 0],
      );
    });

    test('a revoked share has ended at once, keeps its count and who revoked it, and only its client revokes it', async () => {
      const { shares, audit } = await engine.openStore();
      const [{ shareId }, other] = [share(1), share(2)];
      const audited = async () =>
        (await audit.list({ action: 'share.revoke', order: 'oldest', limit: 10 })).records.map(({ target }) => target);
      await shares.add(share(1), 'hash-1', 10);
      await shares.add(other, 'hash-2', 2);
      await shares.addUses(new Map([[shareId, 2]]));
      expect(await shares.revoke(shareId, 'bob', 'bob', recordOf)).toBeUndefined();
      expect(await shares.find('hash-1')).not.toHaveProperty('revokedAt');
      const revoked: Partial<Share> = (await shares.revoke(shareId, 'amy', 'amy', recordOf)) ?? {};
      expect(revoked).toMatchObject({ path: 'out.mp4', revokedBy: 'amy', uses: 2 });
      expect(await audited()).toEqual([shareId]);
      expect(await shares.find('hash-1')).toEqual(revoked);
      const { revokedAt = '', expiresAt = '' } = revoked;
      expect(Math.abs(Date.parse(revokedAt) - Date.now())).toBeLessThan(60_000);
      const past = Date.parse(revokedAt) - Date.parse(expiresAt);
      // The two times are read one after the other.
      expect(past / 1000, 'for a service of the version before, whose clock is late').toBeCloseTo(60, 0);
      const again = await shares.revoke(shareId, 'root', undefined, recordOf);
      expect(again, 'the first one has revoked it').toEqual(revoked);
      expect(await shares.revoke(share(9).shareId, 'root', undefined, recordOf)).toBeUndefined();
      expect(await audited(), 'nothing more was revoked').toEqual([shareId]);
      // A download may have begun just before.
      await shares.addUses(new Map([[shareId, 1]]));
      expect(await shares.find('hash-1')).toMatchObject({ uses: 3, revokedAt });
      expect(await shares.add(share(3), 'hash-3', 2), 'a revoked share does not count').toBe(true);
      expect(await shares.revoke(other.shareId, 'root', undefined, recordOf)).toMatchObject({
        ...{ clientId: 'amy', revokedBy: 'root' },
      });
    });

    test('a share is revoked only together with its audit record', async () => {
      const { shares, audit } = await engine.openStore();
      await shares.add(share(1), 'hash-1', 10);
      const record = recordOf(share(1));
      await audit.append([record]);
      await expect(
        shares.revoke(share(1).shareId, 'amy', 'amy', () => record),
        'the id is taken',
      ).rejects.toThrow();
      expect(await shares.find('hash-1')).not.toHaveProperty('revokedAt');
      expect(await shares.revoke(share(1).shareId, 'amy', 'amy', recordOf)).toHaveProperty('revokedAt');
      expect((await audit.list({ order: 'newest', limit: 10 })).records).toHaveLength(2);
    });

    test('a share that has expired by the clock of the database stays expired, and opens nothing by a clock that is late', async () => {
      const { shares } = await engine.openStore();
      for (const [number, expiresAt] of [at(-300), at(-60), at(-5)].entries()) {
        const { shareId } = share(number);
        await shares.add(share(number, { expiresAt }), `hash-${number}`, 10);
        const revoked = await shares.revoke(shareId, 'amy', 'amy', recordOf);
        if (revoked === undefined) throw new Error('The share was not found.');
        expect(Date.parse(revoked.expiresAt), 'for a service of the version before').toBeLessThan(Date.now() - 50_000);
        expect(shareStateOf(revoked, Date.parse(revoked.expiresAt) - 1000)).toBe('EXPIRED');
        expect(shareView(revoked, Date.now())).toMatchObject({ state: 'EXPIRED', expiresAt });
        expect(await shares.revoke(shareId, 'root', undefined, recordOf)).toEqual(revoked);
      }
      expect(await shares.list({ ...ALL, hasEnded: false })).toEqual([]);
    });

    test('shares that have ended are listed if they are asked for', async () => {
      const { shares } = await engine.openStore();
      await shares.add(share(1), 'hash-1', 10);
      await shares.add(share(2, { expiresAt: at(-5) }), 'hash-2', 10);
      await shares.add(share(3), 'hash-3', 10);
      await shares.revoke(share(3).shareId, 'amy', 'amy', recordOf);
      expect(numbersOf(await shares.list({ ...ALL, hasEnded: false }))).toEqual([1]);
      expect(numbersOf(await shares.list(ALL))).toEqual([3, 2, 1]);
      expect(numbersOf(await shares.list({ clientId: 'amy', hasEnded: true, limit: 1 }))).toEqual([3]);
    });

    test('the shares of a file and of a job are found, in pages, and no others', async () => {
      const { shares } = await engine.openStore();
      const jobId = share(90).shareId;
      const one = 'hls/a.m3u8' as MediaPath;
      const ofJob = ({ path: _, fingerprint: __, ...rest }: Share): Share => ({ ...rest, jobId });
      const all = [
        share(1, { path: one }),
        share(2, { path: one, clientId: 'bob' }),
        share(3, { path: 'hls/a0.ts' as MediaPath }),
        ofJob(share(4)),
        // Of a job with one output, an administrator's, and of another job.
        { ...ofJob(share(5)), path: one },
        ofJob(share(6, { clientId: 'root' })),
        { ...ofJob(share(7)), jobId: share(91).shareId },
      ];
      for (const each of all) await shares.add(each, `hash-${each.shareId}`, 10);
      const list = async (of: SharedBy, more: object = {}) => numbersOf(await shares.list({ ...ALL, of, ...more }));
      const ofFile = (...paths: string[]) => ({ files: { clientId: 'amy', paths } });
      expect(await list(ofFile('hls/a.m3u8'))).toEqual([5, 1]);
      expect(await list(ofFile('hls/a.m3u8', 'hls/a0.ts'))).toEqual([5, 3, 1]);
      expect(await list(ofFile('hls'))).toEqual([]);
      expect(await list({ jobId })).toEqual([6, 5, 4]);
      const both = { jobId, ...ofFile('hls/a.m3u8', 'hls/a0.ts') };
      expect(await list(both)).toEqual([6, 5, 4, 3, 1]);
      expect(await list(both, { clientId: 'amy' })).toEqual([5, 4, 3, 1]);
      expect(await list(both, { limit: 2 })).toEqual([6, 5]);
      expect(await list(both, { limit: 2, before: share(5).shareId })).toEqual([4, 3]);
      await shares.revoke(share(4).shareId, 'amy', 'amy', recordOf);
      expect(await list(both, { hasEnded: false })).toEqual([6, 5, 3, 1]);
    });

    test('of the shares of a client that have ended, only the newest stay', async () => {
      const { shares } = await engine.openStore();
      const most = SHARE_LIMITS.ended;
      const numbered = (number: number, change?: Partial<Share>) => ({
        ...share(0, change),
        shareId: `0199a7c2-5b1e-7c3d-9f21-6a4f0c9b${String(number).padStart(4, '0')}`,
      });
      const ended = { expiresAt: at(-5) };
      await shares.add(numbered(1, { ...ended, clientId: 'bob' }), 'hash-bob', 10);
      await shares.add(numbered(2), 'hash-active', 10);
      for (let first = 3; first < most + 5; first += 20)
        await Promise.all(
          Array.from({ length: Math.min(20, most + 5 - first) }, (_, i) =>
            shares.add(numbered(first + i, ended), `hash-${first + i}`, 10),
          ),
        );
      const found = await shares.list({ clientId: 'amy', hasEnded: true, limit: most * 2 });
      expect(found).toHaveLength(most + 1);
      expect(found.at(-2)?.shareId, 'the two oldest are gone').toBe(numbered(5).shareId);
      expect(found.at(-1)?.shareId, 'one that works stays').toBe(numbered(2).shareId);
      expect(await shares.find('hash-bob')).toBeDefined();
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

    test('a share that has ended is kept for a while, so that its link says so', async () => {
      const { shares } = await engine.openStore();
      await shares.add(share(1, { expiresAt: at(-100) }), 'hash-1', 10);
      await shares.add(share(2, { expiresAt: at(-300) }), 'hash-2', 10);
      await shares.add(share(3, { expiresAt: at(-400) }), 'hash-3', 10);
      await shares.add(share(4), 'hash-4', 10);
      expect(await shares.removeEnded(200, 1)).toBe(1);
      expect(await shares.removeEnded(200, 10)).toBe(1);
      expect(await shares.removeEnded(200, 10)).toBe(0);
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
