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
    test('the uploads of an attempt are found until they are forgotten', async () => {
      const { outputUploads } = await engine.openStore();
      await outputUploads.record('job.1', BUCKET, new Map([['a', 'upload of a']]));
      await outputUploads.record('job.2', BUCKET, new Map([['a', 'other upload of a']]));
      await outputUploads.forget('job.2');
      expect(await outputUploads.find('job.1')).toEqual({
        uploads: [{ bucket: BUCKET, key: 'a', uploadId: 'upload of a' }],
        hasReserved: false,
      });
      expect((await outputUploads.find('job.2')).uploads).toEqual([]);
      const ids = ['upload of a', 'other upload of a'];
      expect(await Promise.all(ids.map(outputUploads.isRecorded))).toEqual([true, false]);
      expect(await outputUploads.scratchNames()).toEqual(['job.1']);
      await outputUploads.forgetUploads('job.1');
      expect(await outputUploads.scratchNames()).toEqual([]);
    });

    test('records the uploads of thousands of files', async () => {
      const { outputUploads } = await engine.openStore();
      const keys = Array.from({ length: 2500 }, (_, i) => `segment${String(i).padStart(5, '0')}.ts`);
      await outputUploads.record('job.1', BUCKET, new Map(keys.map((key) => [key, `of ${key}`])));
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
