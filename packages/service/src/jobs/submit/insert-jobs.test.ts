import { ORDINARY } from '@telecine/contract/domain/lane.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import type { Tx } from '../ports/transactions.ts';
import { type InsertJobsDeps, insertBatcher } from './insert-jobs.ts';

/** Opens a batcher of plain jobs. `storeOpen` ends the open statement. `log`: the statements and replies so far. */
function openBatcher() {
  const log: string[] = [];
  let store = (): void => {};
  const insertJob = insertBatcher({
    transactions: { run: (unit) => unit({} as Tx) },
    queue: {
      insertPlainJobs: (_tx: Tx, { length }: { readonly length: number }) => {
        log.push(`${length} sent`);
        return new Promise<void>((resolve) => {
          store = resolve;
        });
      },
    } as unknown as InsertJobsDeps['queue'],
    now: () => new Date(),
  } as Parameters<typeof insertBatcher>[0]);
  let submitted = 0;
  const submit = async (count: number): Promise<void> => {
    const jobs = Array.from({ length: count }, () => {
      submitted += 1;
      return insertJob({ jobId: `job ${submitted}`, clientId: 'amy', request: '{}', ...ORDINARY });
    });
    await Promise.all(jobs);
    log.push(`${count} answered`);
  };
  /** Ends the open statement, and waits for the callbacks that follow. */
  const storeOpen = async (): Promise<void> => {
    store();
    await nextTurn();
    await nextTurn();
  };
  return { log, submit, storeOpen };
}

test('sends the next statement before the callers of the last one are answered', async () => {
  const { log, submit, storeOpen } = openBatcher();
  void submit(3);
  await nextTurn();
  void submit(2);
  await storeOpen();
  await storeOpen();
  expect(log).toEqual(['3 sent', '2 sent', '3 answered', '2 answered']);
});

test('answers callers at once if no other job waits', async () => {
  const { log, submit, storeOpen } = openBatcher();
  void submit(3);
  await nextTurn();
  await storeOpen();
  expect(log).toEqual(['3 sent', '3 answered']);
});

test('divides the jobs of many callers into two equal groups that take turns', async () => {
  const { log, submit, storeOpen } = openBatcher();
  void submit(10);
  await nextTurn();
  void submit(50);
  // The ten jobs that are being answered count too, so a group has 30 of 60 jobs.
  await storeOpen();
  // Now 20 jobs are left, and 30 are being answered.
  await storeOpen();
  await storeOpen();
  expect(log).toEqual(['10 sent', '30 sent', '10 answered', '20 sent', '50 answered']);
});
