import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { logCheckpoints, uncopiedPages } from '../../packages/service/src/store/sqlite/log-checkpoints.ts';
import { testFolder } from '../support/folders.ts';

const STEP_PAGES = 25;
/** More than `STEP_PAGES` pages of 4 KiB. */
const STEP_BYTES = 110_000;

async function world() {
  const errors: unknown[] = [];
  const file = join(await testFolder('checkpoints'), 'notes.db');
  const [writer, reader] = [new DatabaseSync(file), new DatabaseSync(file)];
  writer.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table notes (text)');
  onTestFinished(() => {
    for (const connection of [writer, reader]) connection.close();
  });
  const insert = writer.prepare('insert into notes values (?)');
  const uncopied = uncopiedPages(writer);
  return {
    reader,
    uncopied,
    logBytes: () => statSync(`${file}-wal`).size,
    ...{ file, errors },
    checkpointIfDue: logCheckpoints(file, {
      uncopiedPages: uncopied,
      stepPages: STEP_PAGES,
      onError: (error) => errors.push(error),
    }),
    write: (bytes: number) => void insert.run('x'.repeat(bytes)),
    count: () => reader.prepare('select count(*) as n from notes').get()?.['n'],
  };
}

/** How long a checkpoint may take beside other tests, and how often it is asked for. */
const HELD_UP = { timeout: 20_000, interval: 5 };

/** Asks, as after each group of transactions, until a checkpoint has held one up. */
const untilHeldUp = async (checkpointIfDue: () => Promise<void> | undefined): Promise<void> => {
  const held = await vi.waitUntil(() => checkpointIfDue()?.then(() => true), HELD_UP);
  await held;
};

test('a thread copies the log when it is long, and not before, so that the file stays as long', async () => {
  const { uncopied, logBytes, write, checkpointIfDue, count, errors } = await world();
  write(1000);
  expect(checkpointIfDue()).toBeUndefined();
  write(STEP_BYTES);
  const longest = logBytes();
  for (let round = 1; round <= 3; round++) {
    await untilHeldUp(checkpointIfDue);
    expect([uncopied(), count()]).toEqual([0, round + 1]);
    write(STEP_BYTES);
    expect(logBytes()).toBe(longest);
  }
  expect(errors).toEqual([]);
});

test('transactions go on while most of the log is copied', async () => {
  const { uncopied, write, checkpointIfDue, count, errors } = await world();
  write(STEP_BYTES);
  expect(checkpointIfDue()).toBeUndefined();
  write(1000);
  await untilHeldUp(checkpointIfDue);
  expect([uncopied(), count(), errors]).toEqual([0, 2, []]);
});

test('a log that a reader uses is tried again only after it has grown as much again', async () => {
  const { reader, uncopied, write, checkpointIfDue, count } = await world();
  reader.exec('begin');
  count();
  write(STEP_BYTES);
  await untilHeldUp(checkpointIfDue);
  expect(uncopied()).toBeGreaterThan(STEP_PAGES);
  expect(checkpointIfDue()).toBeUndefined();
  reader.exec('commit');
  write(STEP_BYTES);
  await untilHeldUp(checkpointIfDue);
  expect([uncopied(), count()]).toEqual([0, 2]);
});

test('a log whose size cannot be read holds up no transaction, and its failure is reported once', async () => {
  const { file, uncopied, write, count } = await world();
  const [failure, errors]: [Error, unknown[]] = [new Error('EIO'), []];
  let failures = 0;
  const checkpointIfDue = logCheckpoints(file, {
    uncopiedPages: () => {
      if (failures-- > 0) throw failure;
      return uncopied();
    },
    stepPages: STEP_PAGES,
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
  }, HELD_UP);
  await held;
  expect(errors).toEqual([failure, failure]);
  write(STEP_BYTES);
  await untilHeldUp(checkpointIfDue);
  expect([uncopied(), count()]).toEqual([0, 2]);
});

test('a checkpoint that fails is reported, and the next one is tried when the log has grown', async () => {
  const { file, uncopied, write } = await world();
  const errors: unknown[] = [];
  const checkpointIfDue = logCheckpoints(join(file, 'nowhere.db'), {
    ...{ uncopiedPages: uncopied, stepPages: STEP_PAGES },
    onError: (error) => errors.push(error),
  });
  write(STEP_BYTES);
  expect(checkpointIfDue()).toBeUndefined();
  await vi.waitUntil(() => errors.length > 0, { timeout: 20_000 });
  expect(checkpointIfDue()).toBeUndefined();
  expect(errors).toHaveLength(1);
});
