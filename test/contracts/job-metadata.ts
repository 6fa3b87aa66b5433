import { describe, expect, test } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import { AT, type Engine, submitMany, submitOne } from './engine.ts';

const NORTH = { shop: 'north', order: '7' };

export function jobMetadataContract(engine: Engine): void {
  describe(`metadata of jobs on ${engine.name}`, () => {
    test('a search finds the jobs that have all values, newest first, of one client or of all', async () => {
      const world = await engine.open();
      const { jobs } = world.store;
      const first = await submitOne(world, 'amy', ORDINARY, NORTH);
      const second = await submitOne(world, 'amy', ORDINARY, { shop: 'north', order: '8' });
      await submitOne(world, 'amy', ORDINARY, { shop: 'south' });
      await submitOne(world, 'amy');
      const other = await submitOne(world, 'bob', ORDINARY, NORTH);
      const find = async (metadata: object, clientId?: string) =>
        (await jobs.search({ limit: 10, metadata: { ...metadata }, ...(clientId && { clientId }) })).jobs.map(
          ({ jobId }) => jobId,
        );
      expect(await find({ shop: 'north' }, 'amy')).toEqual([second, first]);
      expect(await find(NORTH, 'amy')).toEqual([first]);
      expect(await find(NORTH)).toEqual([other, first]);
      expect(await find({ shop: 'North' }, 'amy')).toEqual([]);
      expect(await find({ order: 'north' }, 'amy')).toEqual([]);
    });

    test('a search selects by status and continues before a job', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const ids = await submitMany(world, 'amy', 5, ORDINARY, NORTH);
      const [first = '', , , fourth = ''] = ids;
      const error = { code: 'CANCELLED', message: '' } as const;
      await transactions.run((tx) => jobs.endPending(tx, [first], 'CANCELLED', error, AT));
      const cancelled = await jobs.search({ limit: 10, metadata: NORTH, status: 'CANCELLED' });
      expect(cancelled.jobs.map(({ jobId }) => jobId)).toEqual([first]);
      const page = await jobs.search({ limit: 2, metadata: NORTH, before: fourth });
      expect(page.jobs.map(({ jobId }) => jobId)).toEqual([ids[2], ids[1]]);
    });

    test('a search looks at a limited number of jobs and says where it stopped', async () => {
      const world = await engine.open();
      const { jobs } = world.store;
      const ids = await submitMany(world, 'amy', 1200, ORDINARY, NORTH);
      const found = await jobs.search({ limit: 10, metadata: NORTH, status: 'FAILED' });
      expect(found).toEqual({ jobs: [], searchedTo: ids[200] });
      const rest = await jobs.search({ limit: 10, metadata: NORTH, status: 'FAILED', before: ids[200] ?? '' });
      expect(rest).toEqual({ jobs: [] });
    });

    test('a deleted job is not found any more', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const [one, two] = await submitMany(world, 'amy', 2, ORDINARY, NORTH);
      const error = { code: 'CANCELLED', message: '' } as const;
      for (const jobId of [one ?? '', two ?? ''])
        await transactions.run((tx) => jobs.endPending(tx, [jobId], 'CANCELLED', error, AT));
      await transactions.run((tx) => jobs.remove(tx, one ?? ''));
      await jobs.removeFinishedBefore('2026-12-01T00:00:00.000Z');
      expect(await jobs.search({ limit: 10, metadata: NORTH })).toEqual({ jobs: [] });
    });
  });
}
