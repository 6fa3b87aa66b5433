import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers';
import { expect, onTestFinished, test } from 'vitest';
import type { LedgerChanges } from '../../packages/service/src/store/ledger-row.ts';
import type { WatchLedger } from '../../packages/service/src/store/watches.ts';
import { PAGE_FILES } from '../../packages/service/src/watches/poll-folder.ts';
import { openDiskWatch } from '../fixtures/disk-watch.ts';
import { testFolder } from '../support/folders.ts';
import { waitUntil } from '../support/wait.ts';
import { movedClocks, startWatchService, WATCH_ID, watchOf } from '../support/watch-service.ts';
import type { Engine } from './engine.ts';

const MANY = 100_000;
const FOLDERS = 1000;
const HOUR_MS = 3_600_000;

/** For a list, or for all jobs, each with a transaction of its own, on a busy machine. */
const LONG_SECONDS = 1800;

/** What a service makes of a folder on a disk that has many files when the watch is made, on each database. */
export function manyWatchedFilesContract(engine: Engine): void {
  test(`100,000 files that are there at the start are submitted once each, in small steps, with ${engine.name}`, {
    tags: 'long',
    timeout: 3_600_000,
  }, async () => {
    const disk = await openDiskWatch(await testFolder('many'));
    onTestFinished(disk.close);
    putMany(disk.mediaRoot);
    const { store, queue } = await engine.open();
    await store.watches.add(watchOf({ settleSeconds: 10 }), 20);
    const clocks = movedClocks();
    const inputs: string[] = [];
    let lists = 0;
    const ledger = observeLedger(store.watchLedger);
    const { watcher } = await startWatchService(
      { store, queue },
      {
        ...{ folders: disk.folders, ledger: ledger.observed, files: { move: noFiles, removeAll: noFiles } },
        ...{ root: disk.root, now: clocks.now, monotonic: clocks.monotonic },
        onPoll: () => {
          lists += 1;
        },
        // 100,000 jobs in a queue would take minutes.
        insertJob: async ({ request }, mark) => {
          const isMarked = await store.transactions.run(mark);
          if (isMarked) inputs.push(JSON.parse(request).input as string);
          return isMarked;
        },
      },
    );
    const skip = (ms: number): void => {
      clocks.pass(ms);
      watcher.wake(WATCH_ID);
    };
    for (let before = 0; inputs.length < MANY; before = lists) {
      await waitUntil('a list', async () => lists > before || undefined, LONG_SECONDS);
      await waitUntil('all jobs', async () => inputs.length === ledger.added() || undefined, LONG_SECONDS);
      skip(HOUR_MS);
    }
    const nextList = async (afterMs: number): Promise<void> => {
      const before = lists;
      skip(afterMs);
      await waitUntil('another list', async () => lists > before || undefined, LONG_SECONDS);
    };
    // An idle list asks nothing of the ledger. The next day, all files are compared with it once more.
    for (let count = 0; count < 2; count += 1) await nextList(HOUR_MS);
    const finds = ledger.finds();
    await nextList(HOUR_MS);
    expect(ledger.finds()).toBe(finds);
    await nextList(24 * HOUR_MS);
    expect(ledger.finds()).toBe(finds + MANY / PAGE_FILES);
    await watcher.stop();
    expect([inputs.length, new Set(inputs).size]).toEqual([MANY, MANY]);
    const counts = await store.watches.counts(WATCH_ID);
    expect(counts).toMatchObject({ SUBMITTED: MANY, READY: 0 });
    // Bounds of memory, of statements, and of the work in one turn of the event loop.
    expect(ledger.mostRows()).toBeLessThanOrEqual(PAGE_FILES);
    // Only a submission is a call for one file.
    expect(ledger.calls()).toBeLessThan(MANY / 2);
    expect(ledger.mostPagesInTurn()).toBeLessThan(8);
  });
}

const noFiles = async (): Promise<never> => {
  throw new Error('This watch keeps its files.');
};

/** Writes files that have a size, but no block of the disk. */
function putMany(mediaRoot: string): void {
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(mediaRoot, `in/${folder}`));
    for (let i = 0; i < MANY / FOLDERS; i += 1) {
      const file = openSync(join(mediaRoot, `in/${folder}/${i}.mov`), 'w');
      ftruncateSync(file, 1);
      closeSync(file);
    }
  }
}

/** Counts the calls of a ledger, and the rows that they name. All jobs count as ended, so that there is room for others. */
function observeLedger(ledger: WatchLedger) {
  let [calls, mostRows, added, finds, pagesInTurn, mostPages] = [0, 0, 0, 0, 0, 0];
  const countPage = (): void => {
    pagesInTurn += 1;
    mostPages = Math.max(mostPages, pagesInTurn);
    setImmediate(() => {
      pagesInTurn = 0;
    });
  };
  const countAdded = (args: readonly unknown[]): void => {
    added += args.filter(isChanges).flatMap((changes) => changes.added).length;
  };
  const count = (name: string, args: readonly unknown[]): void => {
    const rows = args.reduce<number>((sum, one) => sum + rowsOf(one), 0);
    calls += Number(name !== 'submit');
    mostRows = Math.max(mostRows, rows);
    // A scan looks for the files of each page.
    if (name !== 'find') return void (name === 'record' && countAdded(args));
    finds += 1;
    countPage();
  };
  const all = Object.entries({ ...ledger, count: async () => 0 }).map(([name, call]) => [
    name,
    (...args: readonly unknown[]) => {
      count(name, args);
      return (call as (...given: readonly unknown[]) => unknown)(...args);
    },
  ]);
  return {
    observed: Object.fromEntries(all) as WatchLedger,
    calls: () => calls,
    added: () => added,
    finds: () => finds,
    mostRows: () => mostRows,
    mostPagesInTurn: () => mostPages,
  };
}

/** How many rows of the ledger an argument names. */
function rowsOf(argument: unknown): number {
  if (Array.isArray(argument)) return argument.length;
  return isChanges(argument) ? Object.values(argument).flat().length : 0;
}

const isChanges = (argument: unknown): argument is LedgerChanges =>
  typeof argument === 'object' && argument !== null && 'added' in argument;
