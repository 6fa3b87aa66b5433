import { describe, expect, test } from 'vitest';
import { type Engine, mustClaim, submitOne, type World } from './engine.ts';

const BUCKET = 'media';

/** The scratch folder of a running job. */
async function running(world: World): Promise<string> {
  const jobId = await submitOne(world);
  const { fence } = await mustClaim(world, jobId);
  return `${jobId}.${fence}`;
}

export function outputUploadsContract(engine: Engine): void {
  describe(`uploads of outputs on ${engine.name}`, () => {
    test('an upload is recorded before it begins, and again with its id', async () => {
      const { outputUploads } = await engine.openStore();
      await outputUploads.begin('job.1', BUCKET, ['a', 'b']);
      await outputUploads.recordIds('job.1', BUCKET, new Map([['b', 'upload of b']]));
      await outputUploads.begin('job.2', BUCKET, ['b']);
      const recorded = await outputUploads.recordedFor(BUCKET, 'b');
      expect([...recorded].sort((a, b) => (a.scratch < b.scratch ? -1 : 1))).toEqual([
        { scratch: 'job.1', at: expect.any(String), uploadId: 'upload of b' },
        { scratch: 'job.2', at: expect.any(String) },
      ]);
      await outputUploads.forget('job.2');
      const { uploads, hasReserved } = await outputUploads.find('job.1');
      expect(uploads).toEqual([
        { bucket: BUCKET, key: 'a', at: expect.any(String) },
        { bucket: BUCKET, key: 'b', at: expect.any(String), uploadId: 'upload of b' },
      ]);
      expect(hasReserved).toBe(false);
      expect((await outputUploads.find('job.2')).uploads).toEqual([]);
      expect(await outputUploads.scratchNames()).toEqual(['job.1']);
      await outputUploads.forgetUploads('job.1');
      expect(await outputUploads.scratchNames()).toEqual([]);
    });

    test('records the uploads of thousands of files', async () => {
      const { outputUploads } = await engine.openStore();
      const keys = Array.from({ length: 2500 }, (_, i) => `segment${String(i).padStart(5, '0')}.ts`);
      await outputUploads.begin('job.1', BUCKET, keys);
      await outputUploads.recordIds('job.1', BUCKET, new Map(keys.map((key) => [key, `of ${key}`])));
      expect((await outputUploads.find('job.1')).uploads.map(({ uploadId }) => uploadId)).toEqual(
        keys.map((key) => `of ${key}`),
      );
    });

    test('one of two running jobs reserves a key, all keys or none', async () => {
      const world = await engine.open();
      const { outputUploads } = world.store;
      const [one, two] = [await running(world), await running(world)];
      expect(await outputUploads.reserve(one, BUCKET, ['a', 'b'])).toBeUndefined();
      expect(await outputUploads.reserve(one, BUCKET, ['b', 'a'])).toBeUndefined();
      expect(await outputUploads.reserve(two, BUCKET, ['0', 'b', 'c'])).toBe('b');
      expect((await outputUploads.find(two)).hasReserved).toBe(false);
      expect(await outputUploads.reserve(two, 'other bucket', ['b'])).toBeUndefined();
      await outputUploads.forget(one);
      expect(await outputUploads.reserve(two, BUCKET, ['0', 'b', 'c'])).toBeUndefined();
    });

    test('a key is reserved by a running job until the job forgets it or ends', async () => {
      const world = await engine.open();
      const { outputUploads } = world.store;
      const one = await running(world);
      await outputUploads.reserve(one, BUCKET, ['a', 'b']);
      expect(await outputUploads.reservedBy(BUCKET, 'b')).toBe(one);
      expect(await outputUploads.reservedBy(BUCKET, 'c')).toBeUndefined();
      expect(await outputUploads.reservedBy('other bucket', 'b')).toBeUndefined();
      await outputUploads.forget(one);
      expect(await outputUploads.reservedBy(BUCKET, 'b')).toBeUndefined();
      await outputUploads.reserve('ended.1', BUCKET, ['b']);
      expect(await outputUploads.reservedBy(BUCKET, 'b')).toBeUndefined();
    });

    test('of many jobs that reserve overlapping keys at once, exactly one gets them', async () => {
      const world = await engine.open();
      const names = await Promise.all(Array.from({ length: 8 }, () => running(world)));
      const taken = await Promise.all(
        names.map((name, i) => world.store.outputUploads.reserve(name, BUCKET, i % 2 === 0 ? ['a', 'b'] : ['b', 'a'])),
      );
      expect(taken.filter((key) => key === undefined)).toHaveLength(1);
    });

    test('a later attempt and another job take over the keys of an attempt that has ended', async () => {
      const world = await engine.open();
      const { outputUploads } = world.store;
      const first = await running(world);
      const [jobId = ''] = first.split('.');
      expect(await outputUploads.reserve(first, BUCKET, ['a'])).toBeUndefined();
      const { fence } = await mustClaim(world, jobId);
      expect(await outputUploads.reserve(`${jobId}.${fence}`, BUCKET, ['a'])).toBeUndefined();
      expect(await outputUploads.reserve(first, BUCKET, ['a'])).toBe('a');
      expect(await outputUploads.reserve('ended.1', BUCKET, ['b'])).toBeUndefined();
      expect(await outputUploads.reserve(first, BUCKET, ['b'])).toBeUndefined();
    });
  });
}
