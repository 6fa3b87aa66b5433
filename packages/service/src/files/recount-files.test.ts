import { randomUUID } from 'node:crypto';
import { DEFAULT_SCOPES } from '@telecine/contract/domain/client.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import type { CountedFile, RecountFiles, StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import { expect, test } from 'vitest';
import { type Interleaving, inEachOrder, interleave } from '../../../../test/support/each-order.ts';
import { memoryBin } from '../../../../test/support/memory-bin.ts';
import { sampledRuns } from '../../../../test/support/sampled.ts';
import { NO_OTHERS } from '../../../../test/support/uncounted-files.ts';
import { openBackgroundRepeats } from './background-repeats.ts';
import { removePath } from './file-operations.ts';
import type { FileFacts, FileStore, OpenFile } from './ports.ts';
import { fileRecount } from './recount-files.ts';
import { storeUpload } from './upload.ts';

const ROOT = { pathPrefix: '/', grants: [] } as unknown as MediaRoot;
const CALLER = { clientId: 'amy', scopes: DEFAULT_SCOPES, root: ROOT, policy: {} };
const PATH = 'a.mov';

/** The size of the file at one path, and the size that counts for it. */
class World {
  file: number | undefined = 5;
  counted: CountedFile | undefined = { path: PATH, bytes: 5, version: 'first' };
  /** The sizes of pending files, by version. */
  readonly pending = new Map<string, number>();

  /** Expects that the whole file counts. Otherwise, its space could be given to other files. */
  expectEnough(): void {
    expect(Math.max(this.counted?.bytes ?? 0, ...this.pending.values())).toBeGreaterThanOrEqual(this.file ?? 0);
  }

  /** The ports for one request. Each step of the request waits for its turn. */
  access(turn: Interleaving) {
    const step = async (): Promise<void> => {
      this.expectEnough();
      await turn.step();
    };
    const stored: Pick<StoredFiles, 'reserve' | 'release' | 'count' | 'find' | 'correct' | 'settle' | 'records'> = {
      records: async () => 0,
      reserve: async () => 0,
      release: async () => {},
      count: async (_clientId, [file], { version }) => {
        await step();
        this.pending.set(version, Math.max(file?.bytes ?? 0, this.counted?.bytes ?? 0));
        this.counted = file && { ...file, version };
      },
      find: async () => {
        await step();
        return this.counted === undefined ? [] : [this.counted];
      },
      correct: async (_clientId, [state], settled = '') => {
        await step();
        if (state !== undefined) {
          if (state.version !== this.counted?.version) return [PATH];
          this.counted =
            state.bytes === undefined ? undefined : { path: PATH, bytes: state.bytes, version: randomUUID() };
        }
        this.pending.delete(settled);
        return [];
      },
      settle: async (_clientId, _paths, { version }) => {
        await step();
        if (this.counted?.version !== version) return false;
        this.counted = { ...this.counted, version: randomUUID() };
        this.pending.delete(version);
        return true;
      },
    };
    const missing = (): Problem => new Problem('FILE_NOT_FOUND', 'There is no such file.');
    const store: Pick<FileStore, 'open' | 'remove'> = {
      open: async () => {
        await step();
        if (this.file === undefined) throw missing();
        return { sizeBytes: this.file, close: async () => {} } as OpenFile;
      },
      remove: async () => {
        await step();
        if (this.file === undefined) throw missing();
        this.file = undefined;
      },
    };
    const recount: RecountFiles = fileRecount({
      stored,
      store,
      rootOf: async () => ROOT,
      repeats: { add: () => {} },
      onFailure: ({ err }) => {
        throw err;
      },
    });
    return { step, stored, store, recount };
  }

  readonly put =
    (bytes: number, { isRejected = false, isKilled = false } = {}) =>
    async (turn: Interleaving): Promise<void> => {
      const { step, stored, store, recount: ownRecount } = this.access(turn);
      const recount = isKilled ? async () => {} : ownRecount;
      const beginUpload: FileStore['beginUpload'] = async () => ({
        append: async (chunks) => {
          for await (const _ of chunks);
        },
        publish: async () => {
          await step();
          if (isRejected) throw new Problem('PRECONDITION_FAILED', 'The file has changed.');
          this.file = bytes;
          return { file: {} as FileFacts, created: true };
        },
        discard: async () => {},
      });
      await storeUpload(
        {
          ...{ store: { ...store, beginUpload } as FileStore, stored, recount, maxBytes: 99 },
          ...{ bin: memoryBin(), keepSeconds: 0 },
        },
        CALLER,
        PATH,
        {
          precondition: {},
          bytes: (async function* () {
            yield new Uint8Array(bytes);
          })(),
        },
      ).catch(ignore('PRECONDITION_FAILED'));
    };

  readonly remove = async (turn: Interleaving): Promise<void> => {
    const { store, recount } = this.access(turn);
    await removePath({ store: store as FileStore, recount, others: NO_OTHERS }, CALLER, PATH, {}).catch(
      ignore('FILE_NOT_FOUND'),
    );
  };

  /** The recount after a check of files, after outputs expired, or after a job ended. */
  readonly look = async (turn: Interleaving): Promise<void> => this.access(turn).recount('amy', [PATH]);
}

const ignore = (code: string) => (error: unknown) => {
  if (!(error instanceof Problem && error.code === code)) throw error;
};

type Case = readonly [title: string, actors: (world: World) => Parameters<typeof interleave>[0]];

const CASES: readonly Case[] = [
  ['a PUT and a DELETE', ({ put, remove }) => [put(9), remove]],
  ['two PUTs', ({ put }) => [put(9), put(1)]],
  ['a PUT whose condition fails and a DELETE', ({ put, remove }) => [put(9, { isRejected: true }), remove]],
  ['a PUT whose condition fails and another PUT', ({ put }) => [put(9, { isRejected: true }), put(1)]],
  ['two DELETEs', ({ remove }) => [remove, remove]],
  ['a PUT and a check', ({ put, look }) => [put(9), look]],
  ['a DELETE and a check', ({ remove, look }) => [remove, look]],
];

test.each(CASES)('what is at a path counts after %s at once, in whatever order their steps ran', async (_, actors) => {
  const runs = await inEachOrder(async (choose) => {
    const world = new World();
    await interleave(actors(world), choose);
    expect(world.counted?.bytes).toBe(world.file);
    expect(world.pending.size).toBe(0);
  });
  expect(runs).toBeGreaterThan(10);
});

test('a file counts that appeared before its service was killed, also if a DELETE at the same time found none', async () => {
  let uncounted = 0;
  await inEachOrder(async (choose) => {
    const world = new World();
    await interleave([world.put(9, { isKilled: true }), world.remove], choose);
    world.expectEnough();
    if (world.file !== undefined && world.counted === undefined) uncounted += 1;
  });
  expect(uncounted, 'orders in which only the pending file counts').toBeGreaterThan(0);
});

test('what is at a path counts after two PUTs, a DELETE and a check at once, in any order', async () => {
  let seed = 1;
  // The "minimal standard" generator of Park and Miller.
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let run = 0; run < sampledRuns(2000); run += 1) {
    const world = new World();
    await interleave([world.put(9), world.put(1), world.remove, world.look], (count) => Math.floor(random() * count));
    expect(world.counted?.bytes).toBe(world.file);
  }
});

test('counts the other files if one cannot be looked at', async () => {
  const failures: unknown[] = [];
  const corrected: unknown[] = [];
  await fileRecount({
    stored: {
      find: async () => ['a', 'b', 'c'].map((path) => ({ path, bytes: 1, version: 'v' })),
      correct: async (_clientId, states, settled) => {
        corrected.push(...states, settled);
        return [];
      },
      settle: async () => false,
    },
    store: {
      open: async (_root, path) => {
        if (path === 'a') throw new Problem('STORAGE_FAULT', 'The folder cannot be read.');
        return { sizeBytes: 2, close: async () => {} } as OpenFile;
      },
    },
    rootOf: async () => ROOT,
    repeats: { add: () => {} },
    onFailure: (failure) => failures.push(failure),
  })('amy', ['a', 'b', 'c', 's3://other/d'], { version: 'v', hasAppeared: false });
  expect(failures).toMatchObject([{ clientId: 'amy', path: 'a', err: { code: 'STORAGE_FAULT' } }]);
  const states = ['b', 'c'].map((path) => ({ path, version: 'v', bytes: 2 }));
  expect(corrected, 'and all stay pending').toEqual([...states, undefined]);
});

test('repeats a recount that an outage of the database prevented, so that its files are not pending for long', async () => {
  const pending = new Set(['v']);
  let isDown = true;
  const failures: unknown[] = [];
  const timers: (() => void)[] = [];
  await using repeats = openBackgroundRepeats((run) => {
    timers.push(run);
    return { [Symbol.dispose]: () => {} };
  });
  const recount = fileRecount({
    stored: {
      find: async () => [],
      correct: async () => [],
      settle: async (_clientId, _paths, { version }) => {
        if (isDown) throw new StoreUnavailable();
        return pending.delete(version);
      },
    },
    store: { open: async () => ({ sizeBytes: 1, close: async () => {} }) as OpenFile },
    rootOf: async () => ROOT,
    repeats,
    onFailure: (failure) => failures.push(failure),
  });
  await recount('amy', [PATH], { version: 'v', hasAppeared: true });
  expect(failures).toHaveLength(1);
  timers.pop()?.();
  await expect.poll(() => timers.length).toBe(1);
  expect(pending.size).toBe(1);
  isDown = false;
  timers.pop()?.();
  await expect.poll(() => pending.size).toBe(0);
  expect(timers, 'nothing is left to repeat').toHaveLength(0);
  expect(failures, 'one line for the log').toHaveLength(1);
});
