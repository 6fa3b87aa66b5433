import { describe, expect, test } from 'vitest';
import { DEFAULT_SCOPES } from '../../packages/contract/src/domain/client.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { DAY_MS, HOUR_MS } from '../../packages/contract/src/domain/quantity.ts';
import type { RecountFiles } from '../../packages/contract/src/domain/stored-files.ts';
import type { FileFacts, OpenFile, UploadParts, UploadRecord } from '../../packages/service/src/files/ports.ts';
import { fileRecount, type RecountDeps } from '../../packages/service/src/files/recount-files.ts';
import { type UploadContext, uploadOperations } from '../../packages/service/src/files/resumable-uploads.ts';
import { sweepUploads } from '../../packages/service/src/files/sweep-uploads.ts';
import type { Claim } from '../../packages/service/src/jobs/ports/job-store.ts';
import type { PublishIntent } from '../../packages/service/src/jobs/ports/media-store.ts';
import { type AttemptDeps, type AttemptResult, runAttempt } from '../../packages/service/src/jobs/run/attempt.ts';
import { createSpaceWatch } from '../../packages/service/src/jobs/run/space-watch.ts';
import { clientRecords } from '../../packages/service/src/store/client-records.ts';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';
import { at } from '../fixtures/media-plans.ts';
import { mediaRoot } from '../support/media-root.ts';
import { memoryBin } from '../support/memory-bin.ts';
import { type Engine, mustClaim, submitOne, type World } from './engine.ts';

/** After all that a test does. */
const LATER = '9999-01-01T00:00:00.000Z';

const upload = (uploadId: string, sizeBytes: number): UploadRecord => ({
  ...{ uploadId, clientId: 'amy', path: at('a.mp4'), sizeBytes, offsetBytes: 0 },
  ...{ metadata: '', precondition: '{}', data: '', isPublished: false },
});

/** The files that the quota of storage counts. */
export function storedFilesContract(engine: Engine): void {
  describe(`stored files on ${engine.name}`, () => {
    const open = async () => await engine.openStore();

    test('files of a client never exceed its storage together, also of requests at the same time', async () => {
      const { storedFiles } = await open();
      const limit = 100;
      const counts = Array.from({ length: 10 }, (_, index) =>
        storedFiles.count('amy', [{ path: `${index}.mp4`, bytes: 30 }], { version: `${index}`, limit }),
      );
      const bobs = storedFiles.count('bob', [{ path: 'a.mp4', bytes: 7 }], { version: 'v', limit: 7 });
      const results = await Promise.allSettled([...counts, bobs]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: 'QUOTA_EXCEEDED', quota: { name: 'storage', used: 90, limit } });
      expect(await storedFiles.used('amy')).toBe(90);
      expect(await storedFiles.used('bob')).toBe(7);
    });

    test('the paths of counted files count among the records of their client', async () => {
      const { storedFiles, transactions } = await open();
      const records = () => transactions.run((tx) => clientRecords(dbOf(tx))('amy'));
      const path = 'é'.repeat(1000);
      await storedFiles.count('amy', [{ path, bytes: 1 }], { version: 'v' });
      const one = await records();
      expect(one).toBeGreaterThanOrEqual(2000);
      const more = Array.from({ length: 3 }, (_, n) => ({ path: `${path}${n}`, bytes: 1 }));
      await storedFiles.count('amy', more, { version: 'w', limit: 99 });
      expect(await records()).toBeGreaterThanOrEqual(4 * one);
      const gone = more.map((file) => ({ ...file, version: 'w', bytes: undefined }));
      await storedFiles.correct('amy', gone);
      expect(await records()).toBe(one);
      for (const version of ['x', 'y']) await storedFiles.count('amy', [{ path, bytes: 2 }], { version });
      const twice = [path, `${path}0`].map((same) => ({ path: same, bytes: 1 }));
      for (const version of ['x', 'y']) await storedFiles.count('amy', twice, { version });
      expect(await records(), 'a replaced file counts once').toBe(2 * one + 3);
      await storedFiles.addUp('amy');
      expect(await records()).toBe(2 * one + 3);
    });

    test('the counted files of a folder are listed by path, without those beside it', async () => {
      const { storedFiles } = await open();
      const paths = ['m/é.mp4', 'm/a b', 'm/d/x', 'm', 'm-2/a', 'm0', 'n/a'];
      await storedFiles.count(
        'amy',
        paths.map((path) => ({ path, bytes: 1 })),
        { version: 'v' },
      );
      await storedFiles.count('bob', [{ path: 'm/bobs', bytes: 1 }], { version: 'v' });
      const below = async (folder: string, limit = 9) =>
        (await storedFiles.below('amy', folder, limit)).map(({ path, bytes, version }) => [path, bytes, version]);
      expect(await below('m/')).toEqual([
        ['m/a b', 1, 'v'],
        ['m/d/x', 1, 'v'],
        ['m/é.mp4', 1, 'v'],
      ]);
      expect(await below('m/', 1)).toEqual([['m/a b', 1, 'v']]);
      expect(await below('none/')).toEqual([]);
      const pageOf = async (folder: string, after?: string) =>
        (await storedFiles.below('amy', folder, 3, after)).map(({ path }) => path);
      expect(await pageOf('')).toEqual(['m', 'm-2/a', 'm/a b']);
      expect(await pageOf('', 'm/a b')).toEqual(['m/d/x', 'm/é.mp4', 'm0']);
      expect(await pageOf('m/', 'm/a b')).toEqual(['m/d/x', 'm/é.mp4']);
    });

    test('a file counts once, and may always be replaced by a smaller one', async () => {
      const { storedFiles } = await open();
      const count = async (path: string, bytes: number, limit?: number) => {
        await storedFiles.count('amy', [{ path, bytes }], { version: `${bytes}`, limit });
        await storedFiles.release('amy', `${bytes}`);
      };
      await count('a', 90, 100);
      await storedFiles.count('amy', [...[{ path: 'b', bytes: 20 }], { path: 'a', bytes: 80 }], {
        version: 'both',
        limit: 100,
      });
      expect(await storedFiles.used('amy'), 'until the larger file is replaced').toBe(110);
      await storedFiles.release('amy', 'both');
      expect(await storedFiles.used('amy')).toBe(100);
      await count('a', 200);
      await count('a', 150, 100);
      await expect(count('a', 151, 100)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
      expect(await storedFiles.used('amy')).toBe(170);
      expect(await storedFiles.find('amy', ['a', 'b', 'c'])).toEqual(
        expect.arrayContaining([
          { path: 'a', bytes: 150, version: '150' },
          { path: 'b', bytes: 20, version: 'both' },
        ]),
      );
      expect(await storedFiles.find('bob', ['a'])).toEqual([]);
    });

    test('a correction stores what it has found, unless the file was counted again since', async () => {
      const { storedFiles } = await open();
      const files = ['gone', 'grown', 'again'].map((path) => ({ path, bytes: 1 }));
      await storedFiles.count('amy', files, { version: 'first' });
      await storedFiles.count('amy', [{ path: 'again', bytes: 4 }], { version: 'second' });
      for (const version of ['first', 'second']) await storedFiles.release('amy', version);
      const states = [
        { path: 'gone', version: 'first', bytes: undefined },
        { path: 'grown', version: 'first', bytes: 20 },
        { path: 'again', version: 'first', bytes: undefined },
        { path: 'found', version: undefined, bytes: 300 },
      ];
      expect(await storedFiles.correct('bob', states.slice(0, 3))).toEqual(['gone', 'grown', 'again']);
      expect(await storedFiles.correct('amy', states)).toEqual(['again']);
      expect(await storedFiles.used('amy')).toBe(324);
      const [{ version = '' } = {}] = await storedFiles.find('amy', ['grown']);
      expect(version, 'a second look of the same time is late').not.toBe('first');
      expect(await storedFiles.correct('amy', states)).toEqual(['gone', 'grown', 'again', 'found']);
      expect(await storedFiles.used('amy')).toBe(324);
    });

    test('requests that write the same files in other orders do not wait for each other for ever', async () => {
      const { storedFiles } = await open();
      const files = Array.from({ length: 40 }, (_, index) => ({ path: `${index}`, bytes: index }));
      const runs = Array.from({ length: 8 }, async (_, run) => {
        const own = run % 2 === 0 ? files : files.toReversed();
        await storedFiles.count('amy', own, { version: `${run}` });
        const found = await storedFiles.find(
          'amy',
          own.map(({ path }) => path),
        );
        await storedFiles.correct('amy', found.toReversed());
        await storedFiles.release('amy', `${run}`);
      });
      await Promise.all(runs);
      expect(await storedFiles.used('amy')).toBe(780);
    });

    test('the total of a client is what its files are together, whatever was written and removed', async () => {
      const { storedFiles } = await open();
      const expectTotal = async (bytes: number) => {
        expect(await storedFiles.used('amy')).toBe(bytes);
        await storedFiles.addUp('amy');
        expect(await storedFiles.used('amy'), 'added up').toBe(bytes);
      };
      const many = Array.from({ length: 1100 }, (_, index) => ({ path: `${index}.png`, bytes: 50_000_000_000 }));
      await storedFiles.count('amy', many, { version: 'v' });
      await expectTotal(55e12);
      await storedFiles.count('amy', [{ path: '7.png', bytes: 0 }], { version: 'w' });
      for (const version of ['v', 'w']) await storedFiles.release('amy', version);
      const removed = many.slice(8).map(({ path }) => ({ path, version: 'v', bytes: undefined }));
      expect(await storedFiles.correct('amy', removed)).toEqual([]);
      await expectTotal(35e10);
      expect(await storedFiles.used('bob')).toBe(0);
    });

    test('a total that is wrong is corrected once a day', async () => {
      const { storedFiles, transactions } = await open();
      const dayAgo = new Date(Date.now() - DAY_MS).toISOString();
      await storedFiles.count('amy', [...[{ path: 'a', bytes: 1 }], { path: 'b', bytes: 5 }], { version: 'v' });
      await storedFiles.release('amy', 'v');
      await transactions.run(async (tx) => {
        await dbOf(tx).updateTable('client_storage').set({ bytes: 3 }).execute();
      });
      await storedFiles.correct('amy', [{ path: 'b', version: 'v', bytes: undefined }]);
      expect(await storedFiles.used('amy'), 'never negative').toBe(0);
      expect(await storedFiles.clientsToAddUp(dayAgo, 9), 'not added up yet').toEqual(['amy']);
      await storedFiles.addUp('amy');
      expect(await storedFiles.used('amy')).toBe(1);
      expect(await storedFiles.clientsToAddUp(dayAgo, 9)).toEqual([]);
      expect(await storedFiles.clientsToAddUp(LATER, 9)).toEqual(['amy']);
    });

    test('the room of a file that is about to appear is given to no other one, also if others find no file', async () => {
      const { storedFiles } = await open();
      const count = (path: string, bytes: number, version: string) =>
        storedFiles.count('amy', [{ path, bytes }], { version, limit: 100 });
      await count('a', 90, 'first');
      // A DELETE finds no file.
      expect(await storedFiles.correct('amy', [{ path: 'a', version: 'first', bytes: undefined }])).toEqual([]);
      expect(await storedFiles.used('amy')).toBe(90);
      await expect(count('b', 11, 'other')).rejects.toMatchObject({ quota: { used: 90 } });
      await count('a', 100, 'second');
      expect(await storedFiles.used('amy'), 'one of both is there in the end').toBe(100);
      await storedFiles.correct('amy', [{ path: 'a', version: 'second', bytes: 90 }], 'first');
      expect(await storedFiles.used('amy'), 'the second can still appear').toBe(100);
      const changed = [{ path: 'a', version: 'second', bytes: 1 }];
      expect(await storedFiles.correct('amy', changed, 'second'), 'and is looked at again').toEqual(['a']);
      expect(await storedFiles.used('amy')).toBe(100);
      await storedFiles.correct('amy', [], 'second');
      expect(await storedFiles.used('amy')).toBe(90);
    });

    test('a file whose publisher was killed still counts an hour later, and is the next to be checked', async () => {
      const { storedFiles } = await open();
      const old = [{ path: 'kept', bytes: 5 }];
      await storedFiles.count('amy', [...old, { path: 'unseen', bytes: 90 }], { version: 'killed' });
      await storedFiles.correct('amy', [{ path: 'unseen', version: 'killed', bytes: undefined }]);
      await storedFiles.reserve('amy', 'arriving', { least: 4, most: 4, version: 'also killed', limit: 100 });
      expect(await storedFiles.used('amy')).toBe(99);
      expect(await storedFiles.expirePending(new Date(Date.now() - HOUR_MS).toISOString(), 9)).toBe(0);
      expect(await storedFiles.expirePending(LATER, 9)).toBe(3);
      expect(await storedFiles.used('amy')).toBe(95);
      expect(await storedFiles.expirePending(LATER, 9)).toBe(0);
      const next = await storedFiles.checkedBefore('2026-01-01T00:00:00.000Z', 9);
      expect(Object.fromEntries(next.map(({ path, bytes }) => [path, bytes]))).toEqual({ kept: 5, unseen: 90 });
    });

    test('bodies that arrive at the same time get room only for what fits together', async () => {
      const { storedFiles } = await open();
      const reserve = (path: string, version: string, least: number, most = least) =>
        storedFiles.reserve('amy', path, { least, most, version, limit: 100 });
      await storedFiles.count('amy', [{ path: 'a', bytes: 20 }], { version: 'v', limit: 100 });
      await storedFiles.release('amy', 'v');
      const some = await Promise.allSettled(['1', '2', '3'].map((version) => reserve(version, version, 50)));
      const fitting = some.findIndex(({ status }) => status === 'fulfilled');
      expect(some.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await reserve('a', 'chunked', 1, 1000), 'what is left, and what it replaces').toBe(50);
      await expect(reserve('e', '4', 1)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', quota: { used: 100 } });
      await storedFiles.release('amy', `${fitting + 1}`);
      expect(await reserve('a', 'chunked', 60, 1000), 'more of it').toBe(100);
      await storedFiles.count('amy', [{ path: 'a', bytes: 70 }], { version: 'chunked', limit: 100 });
      await storedFiles.release('amy', 'chunked');
      expect(await storedFiles.used('amy')).toBe(70);
      expect(await reserve('a', 'smaller', 70), 'a smaller file in its place').toBe(70);
    });

    test('bodies for one path that arrive at the same time get room only for what fits together', async () => {
      const { storedFiles } = await open();
      const reserve = (version: string, least: number, most = least) =>
        storedFiles.reserve('amy', 'a', { least, most, version, limit: 100 });
      const reserveAll = async (): Promise<number> => {
        const versions = Array.from({ length: 16 }, (_, index) => `${index}`);
        const results = await Promise.allSettled(versions.map((version) => reserve(version, 40)));
        for (const result of results)
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'QUOTA_EXCEEDED' });
        expect(await storedFiles.used('amy')).toBe(80);
        expect(await reserve('chunked', 1, 1000), 'what is left').toBe(20);
        for (const version of [...versions, 'chunked']) await storedFiles.release('amy', version);
        return results.filter(({ status }) => status === 'fulfilled').length;
      };
      expect(await reserveAll()).toBe(2);
      await storedFiles.count('amy', [{ path: 'a', bytes: 40 }], { version: 'v', limit: 100 });
      await storedFiles.release('amy', 'v');
      expect(await reserveAll(), 'the first one in place of the file').toBe(2);
      await storedFiles.count('amy', [{ path: 'a', bytes: 100 }], { version: 'w', limit: 100 });
      await storedFiles.release('amy', 'w');
      expect(await reserve('1', 100), 'a file of the same size in its place').toBe(100);
      await expect(reserve('2', 100), 'but not two at the same time').rejects.toMatchObject({ quota: { used: 100 } });
      await storedFiles.count('amy', [{ path: 'a', bytes: 60 }], { version: '1', limit: 100 });
      await storedFiles.release('amy', '1');
      expect(await storedFiles.used('amy'), 'nothing is left of the others').toBe(60);
    });

    test('outputs without a limit are never pending, and count once, also if they replace others', async () => {
      const world = await engine.open();
      const { storedFiles, jobs } = world.store;
      const publish = async (scratch: string, ...sizes: readonly number[]) => {
        const outputs = sizes.map((sizeBytes, i) => ({ path: `${i}.mp4`, sizeBytes }));
        const intent = { scratch, outputs, engine: 'test', version: 1, data: {} };
        const claim = await mustClaim(world, await submitOne(world));
        expect(await jobs.recordIntent(claim, intent)).toBe(true);
        // The reply to the commit may be lost; the repeated write counts nothing more.
        expect(await jobs.recordIntent(claim, intent)).toBe(true);
        const own = { version: scratch, hasAppeared: true, arePending: false };
        const paths = outputs.map(({ path }) => path);
        expect(await storedFiles.settle('amy', paths, own)).toBe(true);
        expect(await storedFiles.settle('amy', paths, own), 'it has a new version').toBe(false);
      };
      await publish('first', 70, 30);
      expect(await storedFiles.used('amy')).toBe(100);
      await publish('second', 20);
      expect(await storedFiles.used('amy')).toBe(50);
      expect(await storedFiles.expirePending(LATER, 9)).toBe(0);
    });

    describe('of a job with thousands of outputs', () => {
      const outputs = Array.from({ length: 2300 }, (_, i) => ({ path: `hls/${i}.ts`, sizeBytes: 10 }));
      const all = 23_000;
      const intentOf = (scratch: string, change = {}) => ({
        ...{ scratch, outputs, engine: 'test', version: 1, data: {} },
        ...change,
      });
      const start = async (world: World) => mustClaim(world, await submitOne(world));
      const statesOf = (version: string, bytes: number | undefined) =>
        outputs.map(({ path }) => ({ path, version, bytes }));

      test('other writes get their turns while they are counted, and while they are found', async () => {
        const world = await engine.open();
        const { storedFiles, jobs, transactions } = world.store;
        /** How many writes, one after the other, are stored until `work` is done. */
        const countWrites = async (work: Promise<unknown>): Promise<number> => {
          let isDone = false;
          void work.finally(() => {
            isDone = true;
          });
          let writes = 0;
          for (; !isDone; writes += 1) await transactions.run(async () => {}, { durable: false });
          await work;
          return writes;
        };
        const claim = await start(world);
        expect(await countWrites(jobs.recordIntent(claim, intentOf('s'), { storage: all }))).toBeGreaterThan(4);
        expect(await countWrites(storedFiles.correct('amy', statesOf('s', 10), 's'))).toBeGreaterThan(4);
        expect(await storedFiles.used('amy')).toBe(all);
        expect(await storedFiles.expirePending(LATER, 9), 'nothing is pending').toBe(0);
      });

      test('they exceed no quota, also of jobs that are published at the same time', async () => {
        const world = await engine.open();
        const { storedFiles, jobs } = world.store;
        const first = await start(world);
        const second = await start(world);
        const others = { outputs: outputs.map(({ path, ...rest }) => ({ ...rest, path: `other/${path}` })) };
        const published = await Promise.allSettled([
          jobs.recordIntent(first, intentOf('first'), { storage: all + 5 }),
          jobs.recordIntent(second, intentOf('second', others), { storage: all + 5 }),
        ]);
        expect(published.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const result of published)
          if (result.status === 'rejected')
            expect(result.reason).toMatchObject({ code: 'QUOTA_EXCEEDED', quota: { used: all, limit: all + 5 } });
        expect(await storedFiles.used('amy')).toBe(all);
      });

      test('they exceed no quota while they are counted, also if the first of them replace others', async () => {
        const world = await engine.open();
        const { storedFiles, jobs } = world.store;
        const [first, second, third] = [await start(world), await start(world), await start(world)];
        const half = outputs.slice(0, 1150);
        await jobs.recordIntent(first, intentOf('first', { outputs: half }), { storage: all });
        await storedFiles.correct('amy', statesOf('first', 10).slice(0, 1150), 'first');
        let isDone = false;
        const counting = jobs.recordIntent(second, intentOf('second'), { storage: all }).finally(() => {
          isDone = true;
        });
        const small = intentOf('third', { outputs: [{ path: 'small.mp4', sizeBytes: 10 }] });
        while ((await storedFiles.used('amy')) < all) await new Promise(setImmediate);
        while (!isDone)
          await expect(jobs.recordIntent(third, small, { storage: all })).rejects.toMatchObject({
            code: 'QUOTA_EXCEEDED',
          });
        expect(await counting).toBe(true);
        expect(await storedFiles.used('amy')).toBe(all);
      });

      test('they may replace earlier ones at the limit, and count in their place', async () => {
        const world = await engine.open();
        const { storedFiles, jobs } = world.store;
        const [first, second, lost] = [await start(world), await start(world), await start(world)];
        await jobs.recordIntent(first, intentOf('first'), { storage: all });
        await storedFiles.correct('amy', statesOf('first', 10), 'first');
        expect(await jobs.recordIntent(second, intentOf('second'), { storage: all })).toBe(true);
        expect(await storedFiles.correct('amy', statesOf('first', undefined))).toHaveLength(outputs.length);
        // The reply to the commit may be lost; the repeated write counts nothing more.
        await jobs.recordIntent(second, intentOf('second'), { storage: all });
        expect(await storedFiles.used('amy')).toBe(all);
        await mustClaim(world, lost.job.jobId);
        expect(await jobs.recordIntent(lost, intentOf('lost'), { storage: all })).toBe(false);
        await storedFiles.correct('amy', statesOf('second', undefined), 'second');
        expect(await storedFiles.used('amy')).toBe(0);
      });

      test('a worker that was paused counts no more of them once another one has claimed the job', async () => {
        const world = await engine.open();
        const { storedFiles, jobs } = world.store;
        const paused = await start(world);
        const many = Array.from({ length: 10_000 }, (_, i) => ({ path: `hls/${i}.ts`, sizeBytes: 10 }));
        const counting = jobs.recordIntent(paused, intentOf('paused', { outputs: many }));
        while ((await storedFiles.find('amy', ['hls/0.ts'])).length === 0) await new Promise(setImmediate);
        const next = await mustClaim(world, paused.job.jobId);
        expect(next.intent?.scratch, 'the other worker finds what is stored').toBe('paused');
        const seen = await storedFiles.used('amy');
        expect(await counting).toBe(false);
        expect(await storedFiles.used('amy')).toBe(seen);
        expect(await storedFiles.find('amy', ['hls/9999.ts'])).toEqual([]);
      });

      test('an attempt that fails while they are counted leaves none that count', async () => {
        const world = await engine.open();
        const { storedFiles, jobs } = world.store;
        const claim = await start(world);
        // No database stores such a number.
        const counted = [...outputs, { path: 'hls/last.ts', sizeBytes: Number.NaN }];
        const recount = recountOf(storedFiles, new Map());
        await expect(
          publishOutputs(claim, intentOf('broken', { outputs: counted }), { jobs, recount }),
        ).rejects.toThrow(/NOT NULL|bigint/);
        expect(await storedFiles.used('amy')).toBe(0);
      });
    });

    test('an unfinished upload counts with its whole size, and is not created if that does not fit', async () => {
      const { storedFiles, resumableUploads } = await open();
      const add = (id: string, sizeBytes: number) =>
        resumableUploads.add(upload(id, sizeBytes), 60, { maxOpen: 5, maxPublished: 5, maxStoredBytes: 100 });
      await storedFiles.count('amy', [{ path: 'b', bytes: 30 }], { version: 'v', limit: 100 });
      const results = await Promise.allSettled([add('one', 40), add('two', 40), add('three', 40)]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await storedFiles.used('amy')).toBe(70);
      for (const id of ['one', 'two', 'three']) await resumableUploads.remove(id);
      expect(await storedFiles.used('amy')).toBe(30);
    });

    test('several requests at once create no more uploads than a client may have', async () => {
      const { resumableUploads } = await open();
      const added = await Promise.all(
        Array.from({ length: 9 }, (_, index) =>
          resumableUploads.add(upload(`${index}`, 1), 60, { maxOpen: 3, maxPublished: 10 }),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(3);
    });

    test('files are listed for a check, and those that were corrected hours later', async () => {
      const { storedFiles } = await open();
      const files = ['a', 'b'].map((path) => ({ path, bytes: 1 }));
      await storedFiles.count('amy', files, { version: 'v' });
      const dueIn = (hours: number, except?: readonly string[]) =>
        storedFiles.checkedBefore(new Date(Date.now() + hours * HOUR_MS).toISOString(), 10, except);
      expect(await dueIn(-1)).toEqual([]);
      expect(await storedFiles.checkedBefore(LATER, 1)).toHaveLength(1);
      const listed = await dueIn(1);
      expect(listed.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual(
        files.map((file) => ({ ...file, clientId: 'amy', version: 'v' })),
      );
      await storedFiles.count('bob', [{ path: 'c', bytes: 1 }], { version: 'v' });
      expect(await dueIn(1, ['amy', 'eve'])).toMatchObject([{ clientId: 'bob' }]);
      await storedFiles.correct('amy', listed);
      expect(await dueIn(1), 'of amy').toMatchObject([{ clientId: 'bob' }]);
      expect(await dueIn(6)).toHaveLength(3);
      const seenBy = async (hours: number, except?: readonly string[]) => {
        const seenBefore = new Date(Date.now() + hours * HOUR_MS).toISOString();
        const files = await storedFiles.checkedBefore('2026-01-01T00:00:00.000Z', 10, except, seenBefore);
        return files.map(({ path }) => path).toSorted();
      };
      expect(await seenBy(1)).toEqual(['a', 'b']);
      expect(await seenBy(1, ['amy'])).toEqual([]);
      expect(await seenBy(-1)).toEqual([]);
    });

    test('the files of several clients at one path are found, and of no other client', async () => {
      const { storedFiles } = await open();
      for (const clientId of ['amy', 'bob', 'eve'])
        await storedFiles.count(
          clientId,
          [
            { path: 'a', bytes: 5 },
            { path: 'b', bytes: 1 },
          ],
          { version: clientId },
        );
      const found = await storedFiles.findOf(['amy', 'bob', 'nobody'], 'a');
      expect(found.toSorted((one, other) => (one.clientId < other.clientId ? -1 : 1))).toEqual([
        { clientId: 'amy', path: 'a', bytes: 5, version: 'amy' },
        { clientId: 'bob', path: 'a', bytes: 5, version: 'bob' },
      ]);
      expect(await storedFiles.findOf([], 'a')).toEqual([]);
    });

    test('the clients with files in a folder are found, and no other client', async () => {
      const { storedFiles } = await open();
      for (const [clientId, path] of [
        ['amy', 'm/a'],
        ['bob', 'm0'],
        ['cat', 'm/d/x'],
        ['eve', 'm/a'],
      ] as const)
        await storedFiles.count(clientId, [{ path, bytes: 5 }], { version: 'v' });
      const found = async (folder: string) =>
        (await storedFiles.findClientsBelow(['amy', 'bob', 'cat', 'nobody'], folder)).toSorted();
      expect(await found('m/')).toEqual(['amy', 'cat']);
      expect(await found('')).toEqual(['amy', 'bob', 'cat']);
      expect(await storedFiles.findClientsBelow([], 'm/')).toEqual([]);
    });

    test('an upload counts once, also while its file appears', async () => {
      const u = await openUploads(engine);
      await u.create('done', 60);
      await u.append('done', async () => {
        expect(await u.storedFiles.used('amy'), 'before it has appeared').toBe(60);
        await u.storedFiles.count('amy', [{ path: 'output.mp4', bytes: 40 }], { version: 'job', limit: 100 });
      });
      expect(await u.storedFiles.used('amy')).toBe(100);
      expect(await u.storedFiles.find('amy', ['a.mp4'])).toMatchObject([{ bytes: 60 }]);
      await u.operations.remove(u.context('done'), 'done');
      expect(await u.storedFiles.used('amy'), 'the file stays').toBe(100);
    });

    test('a finished upload counts in place of the file that it replaces', async () => {
      const u = await openUploads(engine);
      await u.storedFiles.count('amy', [{ path: 'a.mp4', bytes: 30 }], { version: 'v' });
      await u.create('done', 60);
      expect(await u.storedFiles.used('amy')).toBe(90);
      await u.append('done');
      expect(await u.storedFiles.used('amy')).toBe(60);
    });

    test('a file whose upload crashed when it had appeared counts once, and stays counted', async () => {
      const u = await openUploads(engine);
      for (const end of ['expired', 'deleted', 'asked again'] as const) {
        await u.create(end, 60);
        const crash = new Error('crash');
        await expect(u.append(end, () => Promise.reject(crash))).rejects.toBe(crash);
        expect(await u.storedFiles.used('amy'), end).toBe(60);
        if (end === 'deleted') await u.operations.remove(u.context(end), end);
        else if (end === 'asked again') await u.operations.settle(u.context(end), end);
        else {
          await u.expire(end);
          expect(await u.storedFiles.used('amy')).toBe(0);
          await u.sweep();
        }
        expect(await u.storedFiles.used('amy'), end).toBe(60);
        expect(await u.storedFiles.find('amy', ['a.mp4'])).toMatchObject([{ bytes: 60 }]);
        u.files.clear();
        await u.recount('amy', ['a.mp4']);
        expect(await u.storedFiles.used('amy')).toBe(0);
      }
    });

    test('a complete upload whose condition fails leaves the file that it would have replaced', async () => {
      const u = await openUploads(engine);
      u.files.set('a.mp4', 30);
      await u.storedFiles.count('amy', [{ path: 'a.mp4', bytes: 30 }], { version: 'v' });
      await u.create('refused', 60);
      const refused = new Error('The file has changed.');
      await expect(u.append('refused', undefined, refused)).rejects.toBe(refused);
      expect(await u.storedFiles.used('amy')).toBe(90);
      await u.operations.remove(u.context('refused'), 'refused');
      expect(await u.storedFiles.used('amy')).toBe(30);
    });

    test('an upload whose creation did not end counts for a minute, and others until they expire', async () => {
      const u = await openUploads(engine);
      const begun = Promise.withResolvers<void>();
      const never = new Promise<void>(() => {});
      void u.create('dead', 60, () => {
        begun.resolve();
        return never;
      });
      await begun.promise;
      expect(await u.storedFiles.used('amy')).toBe(60);
      expect(await u.secondsLeft('dead')).toBeLessThanOrEqual(60);
      await u.expire('dead');
      expect(await u.storedFiles.used('amy')).toBe(0);
      await u.create('begun', 50);
      expect(await u.secondsLeft('begun')).toBeGreaterThan(EXPIRY_SECONDS - 60);
    });
  });
}

const EXPIRY_SECONDS = 3600;

/** Counts what is at paths of a media root. `files`: their sizes. */
const recountOf = (stored: RecountDeps['stored'], files: ReadonlyMap<string, number>): RecountFiles =>
  fileRecount({
    stored,
    store: {
      open: async (_root, path) => {
        const sizeBytes = files.get(path);
        if (sizeBytes === undefined) throw new Problem('FILE_NOT_FOUND', 'There is no such file.');
        return { sizeBytes, close: async () => {} } as OpenFile;
      },
    },
    rootOf: async () => mediaRoot('/'),
    repeats: { add: () => {} },
    onFailure: ({ err }) => {
      throw err;
    },
  });

/** Runs an attempt whose conversion is done at once, up to the end of publishing. */
function publishOutputs(
  claim: Claim,
  intent: PublishIntent,
  { jobs, recount }: Pick<AttemptDeps, 'jobs' | 'recount'>,
): Promise<AttemptResult> {
  const root = mediaRoot('/');
  const media: Partial<AttemptDeps['media']> = {
    freeBytes: async () => 1,
    openScratch: async () => ({ name: intent.scratch }),
    stage: async () => [],
    scratchUsage: async () => ({ bytes: 0, files: 0 }),
    prepare: async () => intent,
    unpublish: async () => {},
    discard: async () => {},
  };
  const deps: Partial<AttemptDeps> = {
    ...{ jobs, recount, media: media as AttemptDeps['media'], minFreeBytes: 0 },
    planner: async () => ({ ok: true, plan: { inputs: [], outputs: [], passes: [], warnings: [] } }),
    clientContextOf: async (clientId) => ({ clientId, root, policy: {} }),
    space: createSpaceWatch(media as AttemptDeps['media'], 0),
    convert: async () => ({ ok: true, outputs: [], log: '', warnings: [] }),
  };
  const heartbeat = {
    setPhase: () => undefined,
    setProgress: () => undefined,
    phase: () => 'STAGING' as const,
    phases: () => [],
    timings: () => ({ phaseSeconds: {} }),
    stop: async () => undefined,
  };
  const slot = { take: async () => {}, waitForTurn: async () => {}, release: () => {} };
  return runAttempt(deps as AttemptDeps, claim, new AbortController().signal, heartbeat, slot);
}

/** The operations on resumable uploads to `a.mp4`, in a storage that keeps the sizes of files. */
async function openUploads(engine: Engine) {
  const { storedFiles, resumableUploads, transactions, leases } = await engine.openStore();
  const files = new Map<string, number>();
  const recount = recountOf(storedFiles, files);
  let begin = async (): Promise<void> => {};
  let refusal: Error | undefined;
  const parts: UploadParts = {
    begin: async () => {
      await begin();
      return '{}';
    },
    append: async ({ sizeBytes }, _bytes, onSaved) => onSaved(sizeBytes),
    publish: async ({ path, sizeBytes }) => {
      if (refusal !== undefined) throw refusal;
      files.set(path, sizeBytes);
      return {} as FileFacts;
    },
    remove: async () => {},
  };
  const deps = {
    ...{ store: resumableUploads, parts, recount, leases, maxBytes: 1000, expirySeconds: EXPIRY_SECONDS },
    ...{ onEvent: () => {}, log: { warn: () => {} } },
    stored: storedFiles,
    replacedFiles: {
      bin: memoryBin(),
      stored: storedFiles,
      store: { purgeFromBin: async () => true },
      keepSeconds: 60,
    },
  };
  const operations = uploadOperations(deps);
  const caller = { clientId: 'amy', scopes: DEFAULT_SCOPES, root: mediaRoot('/'), policy: {} };
  const context = (uploadId: string, onAppeared = async (): Promise<void> => {}): UploadContext => ({
    caller,
    lock: { holder: `holder of ${uploadId}`, assertHeld: () => {}, release: async () => {} },
    onAppeared,
  });
  return {
    ...{ storedFiles, files, recount, operations, context },
    /** `onBegin`: called once the record is stored. */
    create: (uploadId: string, sizeBytes: number, onBegin = async (): Promise<void> => {}) => {
      begin = onBegin;
      return operations.create(context(uploadId), {
        ...{ uploadId, path: 'a.mp4', sizeBytes, metadata: '', precondition: {} },
      });
    },
    /** Appends all bytes. `onAppeared`: called when the file has appeared. */
    append: (uploadId: string, onAppeared?: () => Promise<void>, refuseWith?: Error) => {
      refusal = refuseWith;
      const nothing = (async function* (): AsyncGenerator<Uint8Array> {})();
      return operations.append(context(uploadId, onAppeared), uploadId, nothing);
    },
    expire: (uploadId: string) =>
      transactions.run((tx) =>
        dbOf(tx)
          .updateTable('resumable_uploads')
          .set({ expires_at: '2026-01-01T00:00:00.000Z' })
          .where('upload_id', '=', uploadId)
          .execute(),
      ),
    sweep: () => sweepUploads(deps),
    secondsLeft: async (uploadId: string): Promise<number> => {
      const { expires_at: at } = await transactions.run((tx) =>
        dbOf(tx)
          .selectFrom('resumable_uploads')
          .select('expires_at')
          .where('upload_id', '=', uploadId)
          .executeTakeFirstOrThrow(),
      );
      return (Date.parse(at) - Date.now()) / 1000;
    },
  };
}
