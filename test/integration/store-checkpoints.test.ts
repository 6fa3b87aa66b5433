import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { logCheckpoints } from '../../src/store/sqlite/log-checkpoints.ts';
import { openWal } from '../../src/store/sqlite/wal-file.ts';
import { testFolder } from '../support/folders.ts';

const STEP_BYTES = 100_000;

async function world() {
  const errors: unknown[] = [];
  const file = join(await testFolder('checkpoints'), 'notes.db');
  const [writer, reader] = [new DatabaseSync(file), new DatabaseSync(file)];
  writer.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table notes (text)');
  const wal = openWal(file);
  onTestFinished(() => {
    wal.close();
    for (const connection of [writer, reader]) connection.close();
  });
  const insert = writer.prepare('insert into notes values (?)');
  return {
    reader,
    wal,
    ...{ file, errors },
    checkpointIfDue: logCheckpoints(file, { wal, stepBytes: STEP_BYTES, onError: (error) => errors.push(error) }),
    write: (bytes: number) => void insert.run('x'.repeat(bytes)),
    count: () => reader.prepare('select count(*) as n from notes').get()?.['n'],
  };
}

/** Asks, as after each group of transactions, until a checkpoint has held one up. */
const untilHeldUp = async (checkpointIfDue: () => Promise<void> | undefined): Promise<void> => {
  const held = await vi.waitUntil(() => checkpointIfDue()?.then(() => true), { timeout: 20_000, interval: 5 });
  await held;
};

test('a thread empties the log when it is long, and not before', async () => {
  const { wal, write, checkpointIfDue, count, errors } = await world();
  write(1000);
  expect(checkpointIfDue()).toBeUndefined();
  for (let round = 1; round <= 2; round++) {
    write(STEP_BYTES);
    await untilHeldUp(checkpointIfDue);
    expect([wal.bytes(), count()]).toEqual([0, round + 1]);
  }
  expect(errors).toEqual([]);
});

test('transactions go on while most of the log is copied', async () => {
  const { wal, write, checkpointIfDue, count, errors } = await world();
  write(STEP_BYTES);
  expect(checkpointIfDue()).toBeUndefined();
  write(1000);
  await untilHeldUp(checkpointIfDue);
  expect([wal.bytes(), count(), errors]).toEqual([0, 2, []]);
});

test('a log that a reader uses is tried again only after it has grown as much again', async () => {
  const { reader, wal, write, checkpointIfDue, count } = await world();
  reader.exec('begin');
  count();
  write(STEP_BYTES);
  await untilHeldUp(checkpointIfDue);
  expect(wal.bytes()).toBeGreaterThan(STEP_BYTES);
  expect(checkpointIfDue()).toBeUndefined();
  reader.exec('commit');
  write(STEP_BYTES);
  await untilHeldUp(checkpointIfDue);
  expect([wal.bytes(), count()]).toEqual([0, 2]);
});

test('a log whose size cannot be read holds up no transaction, and its failure is reported once', async () => {
  const { file, wal, write, count } = await world();
  const [failure, errors]: [Error, unknown[]] = [new Error('EIO'), []];
  let failures = 0;
  const bytes = (): number => {
    if (failures-- > 0) throw failure;
    return wal.bytes();
  };
  const checkpointIfDue = logCheckpoints(file, {
    ...{ wal: { bytes }, stepBytes: STEP_BYTES },
    onError: (error) => errors.push(error),
  });
  write(STEP_BYTES);
  failures = 3;
  for (let group = 1; group <= 3; group++) expect(checkpointIfDue()).toBeUndefined();
  expect(errors).toEqual([failure]);
  // The size after a checkpoint.
  const held = await vi.waitUntil(() => {
    const checkpoint = checkpointIfDue();
    if (checkpoint !== undefined) failures = 1;
    return checkpoint?.then(() => true);
  });
  await held;
  expect(errors).toEqual([failure, failure]);
  write(STEP_BYTES);
  await untilHeldUp(checkpointIfDue);
  expect([wal.bytes(), count()]).toEqual([0, 2]);
});

test('a checkpoint that fails is reported, and the next one is tried when the log has grown', async () => {
  const { file, wal, write } = await world();
  const errors: unknown[] = [];
  const checkpointIfDue = logCheckpoints(join(file, 'nowhere.db'), {
    ...{ wal, stepBytes: STEP_BYTES },
    onError: (error) => errors.push(error),
  });
  write(STEP_BYTES);
  expect(checkpointIfDue()).toBeUndefined();
  await vi.waitUntil(() => errors.length > 0, { timeout: 20_000 });
  expect(checkpointIfDue()).toBeUndefined();
  expect(errors).toHaveLength(1);
});
