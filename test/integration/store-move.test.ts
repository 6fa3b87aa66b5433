import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import type { JobQueue } from '../../packages/service/src/jobs/ports/job-queue.ts';
import { ticketQueue } from '../../packages/service/src/queue/tickets.ts';
import { MIGRATION_TABLE } from '../../packages/service/src/store/migrate.ts';
import {
  MOVED_TABLES,
  moveStore,
  splitBySize,
  TABLES_LEFT_BEHIND,
} from '../../packages/service/src/store/move-store.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import { testFolder } from '../support/folders.ts';

const JOBS = Array.from({ length: 1201 }, (_, index) => ({
  jobId: `0199a7c2-5b1e-7c3d-9f21-${String(index).padStart(12, '0')}`,
  clientId: `client-${index % 7}`,
  ...ORDINARY,
}));

/** A store with queued jobs, and an empty one. SQLite stands for the target: the copy is the same code. */
async function stores() {
  const folder = await testFolder('move');
  const file = join(folder, 'source.db');
  const source = await openSqlite(file);
  const target = await openSqlite(join(folder, 'target.db'));
  onTestFinished(async () => {
    await source.close();
    await target.close();
  });
  await source.transactions.run(async (tx) => {
    const row = { request: '{}', createdAt: '2026-11-20T10:00:00.000Z' };
    for (const job of JOBS) await source.jobs.insert(tx, [{ ...job, ...row } as never]);
    const tickets = JOBS.map((job, index) => ({ ...job, priority: index % 10 }));
    await ticketQueue(source.database).enqueue(tx, tickets);
  });
  return { file, source, target };
}

test('a move reads jobs and tickets in batches, and loses none', async () => {
  const { source, target } = await stores();
  const tickets: string[] = [];
  const sizes: number[] = [];
  const queue: Pick<JobQueue, 'enqueue'> = {
    enqueue: async (_tx, batch) => {
      sizes.push(batch.length);
      tickets.push(...batch.map(({ jobId }) => jobId));
    },
  };
  const rows = await moveStore(source, { store: target, queue, name: 'the target' });
  expect(rows).toMatchObject({ jobs: JOBS.length, tickets: JOBS.length });
  expect(sizes).toEqual([500, 500, 201]);
  expect(tickets.toSorted()).toEqual(JOBS.map(({ jobId }) => jobId));
  expect((await target.counts()).jobs).toEqual({ PENDING: JOBS.length });
});

test('no other process can write to the source while it moves, and none can open it afterwards', async () => {
  const { file, source, target } = await stores();
  const other = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => other.close());
  const errors: unknown[] = [];
  const queue: Pick<JobQueue, 'enqueue'> = {
    enqueue: async () => {
      try {
        other.exec('delete from jobs');
      } catch (error) {
        errors.push(error);
      }
    },
  };
  await moveStore(source, { store: target, queue, name: 'the target' });
  expect(errors).toHaveLength(3);
  expect(errors[0]).toMatchObject({ message: 'database is locked' });
  await expect(openSqlite(file)).rejects.toThrow('The SQLite database was moved to the target.');
});

test('a move that fails leaves the source usable', async () => {
  const { file, source, target } = await stores();
  const queue: Pick<JobQueue, 'enqueue'> = { enqueue: () => Promise.reject(new Error('the queue is gone')) };
  await expect(moveStore(source, { store: target, queue, name: 'the target' })).rejects.toThrow('the queue is gone');
  expect((await target.counts()).jobs).toEqual({});
  await (await openSqlite(file)).close();
});

test('a move takes the records of uploads to S3 along, by which what a killed service left is removed', async () => {
  const { source, target } = await stores();
  const ids = new Map(['a', 'b'].map((name) => [`${name}.mp4`, `id of ${name}`]));
  await source.outputUploads.record('job.1', 'media', ids);
  await source.leases.take({ name: 'object:1', holder: 'killed', data: '{}' }, -1);
  const rows = await moveStore(source, { store: target, queue: { enqueue: async () => {} }, name: 'the target' });
  expect(rows).toMatchObject({ output_uploads: 2, leases: 1 });
  expect(await target.outputUploads.find('job.1')).toEqual(await source.outputUploads.find('job.1'));
  expect(await target.leases.expired('object:', 9)).toEqual([{ name: 'object:1', data: '{}' }]);
});

test('a move knows each table: it takes it along, or leaves it behind for a reason', async () => {
  const { source } = await stores();
  const tables = (await source.database.reader.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith(MIGRATION_TABLE));
  const { event_counts: _onlyOnPostgres, ...leftBehind } = TABLES_LEFT_BEHIND;
  expect(tables.toSorted()).toEqual(Object.keys({ ...MOVED_TABLES, ...leftBehind }).toSorted());
});

test('a statement has at most a million characters, unless one row has more', () => {
  const row = (length: number) => ({ log: 'x'.repeat(length) });
  const sizes = (lengths: readonly number[]) =>
    splitBySize(lengths.map(row)).map((batch) => batch.map(({ log }) => String(log).length));
  expect(sizes([])).toEqual([]);
  expect(sizes([400_000, 600_000, 1, 0])).toEqual([
    [400_000, 600_000],
    [1, 0],
  ]);
  expect(sizes([2_000_000, 1])).toEqual([[2_000_000], [1]]);
  expect(sizes([1, 2_000_000, 1])).toEqual([[1], [2_000_000], [1]]);
});
