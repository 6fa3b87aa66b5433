import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startProgram } from '../support/child.ts';
import { testFolder } from '../support/folders.ts';
import { sampled } from '../support/sampled.ts';

const WRITER = join(import.meta.dirname, '../support/store-writer.ts');

/** The ids of the stored jobs and of the tickets, as the next process finds them. */
function stored(file: string): { readonly jobs: Set<string>; readonly tickets: Set<string> } {
  const db = new DatabaseSync(file);
  const ids = (table: string): Set<string> =>
    new Set(
      db
        .prepare(`select job_id from ${table}`)
        .all()
        .map((row) => String(row['job_id'])),
    );
  const found = { jobs: ids('jobs'), tickets: ids('tickets') };
  const [check] = db.prepare('pragma integrity_check').all();
  expect(check).toEqual({ integrity_check: 'ok' });
  db.close();
  return found;
}

test.each(sampled([37, 1, 250], 3))(
  'killed after %i accepted jobs, the store has all of them with their tickets',
  async (n) => {
    const file = join(await testFolder('crash'), 'telecine.db');
    const writer = startProgram(WRITER, [file, 'amy', '0']);
    await writer.wrote(n);
    writer.process.kill('SIGKILL');
    await writer.ended;
    const { jobs, tickets } = stored(file);
    expect(writer.lines.length).toBeGreaterThanOrEqual(n);
    expect(writer.lines.filter((jobId) => !jobs.has(jobId))).toEqual([]);
    expect(tickets).toEqual(jobs);
  },
);

test('killed in the middle of a group, the store has none of its jobs', async () => {
  const file = join(await testFolder('crash'), 'telecine.db');
  const writer = startProgram(WRITER, [file, 'amy', '-1']);
  await writer.wrote(1);
  writer.process.kill('SIGKILL');
  await writer.ended;
  expect(writer.lines).toEqual(['in the middle']);
  expect(stored(file).jobs.size).toBe(0);
});

test('two processes can write at once', { tags: 'long' }, async () => {
  const file = join(await testFolder('crash'), 'telecine.db');
  const writers = ['amy', 'bob'].map((client) => startProgram(WRITER, [file, client, '800']));
  expect(await Promise.all(writers.map((writer) => writer.ended))).toEqual([0, 0]);
  const accepted = writers.flatMap((writer) => writer.lines);
  expect(accepted).toHaveLength(1600);
  expect(stored(file).jobs).toEqual(new Set(accepted));
});
