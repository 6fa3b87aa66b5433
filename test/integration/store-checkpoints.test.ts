import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { logCheckpoints } from '../../src/store/sqlite/log-checkpoints.ts';
import { openWal } from '../../src/store/sqlite/wal-file.ts';
import { testFolder } from '../support/folders.ts';

const STEP_BYTES = 100_000;

async function world() {
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
    checkpointIfDue: logCheckpoints(file, wal, STEP_BYTES),
    write: (bytes: number) => void insert.run('x'.repeat(bytes)),
    count: () => reader.prepare('select count(*) as n from notes').get()?.['n'],
  };
}

test('a thread empties the log when it is long, and not before', async () => {
  const { wal, write, checkpointIfDue, count } = await world();
  write(1000);
  expect(checkpointIfDue()).toBeUndefined();
  for (let round = 1; round <= 2; round++) {
    write(STEP_BYTES);
    await checkpointIfDue();
    expect([wal.bytes(), count()]).toEqual([0, round + 1]);
  }
});

test('a log that a reader uses is tried again only after it has grown as much again', async () => {
  const { reader, wal, write, checkpointIfDue, count } = await world();
  reader.exec('begin');
  count();
  write(STEP_BYTES);
  await checkpointIfDue();
  expect(wal.bytes()).toBeGreaterThan(STEP_BYTES);
  expect(checkpointIfDue()).toBeUndefined();
  reader.exec('commit');
  write(STEP_BYTES);
  await checkpointIfDue();
  expect([wal.bytes(), count()]).toEqual([0, 2]);
});
