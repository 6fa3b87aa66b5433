import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Watch } from '../../packages/contract/src/domain/watch.ts';
import { openDiskWatch } from '../fixtures/disk-watch.ts';
import { testFolder } from '../support/folders.ts';
import { waitUntil } from '../support/wait.ts';
import { movedClocks, nextRound, startWatchService, WATCH_ID, watchOf } from '../support/watch-service.ts';
import type { Engine } from './engine.ts';

const MINUTE_MS = 60_000;

/** Starts a service with a watch of a folder on a network disk, whose clocks the test moves. */
async function watchShare(engine: Engine, watch: Partial<Watch>) {
  const disk = await openDiskWatch(await testFolder('share'), { isLocal: false });
  onTestFinished(disk.close);
  const world = await engine.open();
  await world.store.watches.add(watchOf(watch), 20);
  const clocks = movedClocks();
  const files = { move: noFiles, removeAll: noFiles };
  const service = await startWatchService(world, {
    ...{ folders: disk.folders, files, root: disk.root },
    ...{ now: clocks.now, monotonic: clocks.monotonic },
  });
  /** Lets time pass, and the watch do what is due then. */
  const pass = async (ms: number): Promise<void> => {
    clocks.pass(ms);
    await nextRound(service);
  };
  /** Lets seconds pass until something is true. */
  const until = (what: string, isTrue: () => Promise<boolean>): Promise<true> =>
    waitUntil(what, async () => {
      if (await isTrue()) return true;
      await pass(1000);
      return undefined;
    });
  return { ...service, at: (path: string) => join(disk.mediaRoot, path), pass, until };
}

const noFiles = async (): Promise<never> => {
  throw new Error('This watch keeps its files.');
};

/** How a share is away: its folder cannot be read, or the empty folder on which it was mounted is in its place. */
const AWAY = [
  ['cannot be read', false],
  ['leaves an empty folder', true],
] as const;

/** What a service makes of the files of a real disk, on each database. */
export function watchedDisksContract(engine: Engine): void {
  describe(`watched disks with ${engine.name}`, () => {
    for (const [how, leavesFolder] of AWAY)
      test(`a share that is away for an hour and ${how}: no file is lost, and none converted twice`, {
        tags: 'long',
      }, async () => {
        const share = await watchShare(engine, { maxUnfinished: 2 });
        const { at, pass, until } = share;
        const put = (...names: readonly string[]) =>
          Promise.all(names.map((name) => writeFile(at(`in/${name}`), name)));
        const jobs = async (count: number) =>
          until(`${count} jobs`, async () => (await share.inputs()).length === count);
        const stateOf = async (name: string) => (await share.states())[`in/${name}`];

        await put('converted.mov', 'converted, gone.mov');
        await jobs(2);
        for (let done = 0; done < 2; done += 1) await share.complete();
        await put('running.mov', 'running, gone.mov');
        await jobs(4);
        await put('ready.mov', 'ready, gone.mov');
        await until('the others to wait', async () => (await stateOf('ready, gone.mov')) === 'READY');
        await put('settling.mov');
        await pass(20);

        await rename(at('in'), at('away'));
        if (leavesFolder) await mkdir(at('in'));
        for (let done = 0; done < 2; done += 1)
          await share.fail({ code: 'INPUT_NOT_FOUND', message: 'The input does not exist.' });
        for (let minutes = 0; minutes < 60; minutes += 10) await pass(10 * MINUTE_MS);
        await until('the watch to notice', async () =>
          leavesFolder
            ? (await stateOf('ready.mov')) === 'SKIPPED'
            : (await share.world.store.watches.get(WATCH_ID))?.unreachableSince !== undefined,
        );
        expect(await share.inputs()).toHaveLength(4);
        await writeFile(at('away/landed.mov'), 'landed');
        for (const name of ['converted', 'running', 'ready']) await rm(at(`away/${name}, gone.mov`));
        if (leavesFolder) await rm(at('in'), { recursive: true });
        await rename(at('away'), at('in'));

        const states = { 'in/landed.mov': 'CONVERTED', 'in/ready.mov': 'CONVERTED', 'in/running.mov': 'CONVERTED' };
        await until('all files to be converted', async () => {
          if ((await share.world.store.watchLedger.count(WATCH_ID, 'SUBMITTED')) > 0) await share.complete();
          const now = await share.states();
          return Object.entries({ ...states, 'in/settling.mov': 'CONVERTED' }).every(
            ([path, state]) => now[path] === state,
          );
        });
        // All files are looked at once a day.
        for (let hours = 0; hours < 50; hours += 10) await pass(10 * 60 * MINUTE_MS);
        expect((await share.inputs()).toSorted()).toEqual(
          [
            ...['converted.mov', 'converted, gone.mov', 'running.mov', 'running, gone.mov'],
            ...['running.mov', 'ready.mov', 'settling.mov', 'landed.mov'],
          ]
            .map((name) => `in/${name}`)
            .toSorted(),
        );
        expect(await share.states()).toEqual({
          ...states,
          ...{
            'in/converted.mov': 'CONVERTED',
            'in/converted, gone.mov': 'CONVERTED',
            'in/settling.mov': 'CONVERTED',
          },
          ...{ 'in/running, gone.mov': 'SKIPPED', 'in/ready, gone.mov': 'SKIPPED' },
        });
      });
  });
}
