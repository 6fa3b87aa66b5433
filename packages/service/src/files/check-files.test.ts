import { Problem } from '@telecine/contract/domain/problem.ts';
import { DAY_MS, HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import { expect, test } from 'vitest';
import { type CheckFilesDeps, checkFiles } from './check-files.ts';
import type { OpenFile } from './ports.ts';

const START = new Date('2026-01-31T12:00:00.000Z').getTime();

/** Counted files, and rounds that check them. The name of a file says what the storage answers for it. */
class World {
  readonly files = new Map<string, { clientId: string; path: string; bytes: number; version: string; at: string }>();
  readonly looks: string[] = [];
  readonly failures: unknown[] = [];
  /** The clients whose files were added up today. */
  readonly sums: string[] = [];
  holder: string | undefined;
  atMs = START;
  /** How long it takes to open a file, in ms. */
  lookMs = 0;

  add(clientId: string, path: string, at = new Date(START - 2 * HOUR_MS).toISOString()): void {
    this.files.set(`${clientId}/${path}`, { clientId, path, bytes: 1, version: 'v', at });
  }

  readonly check = (more: Partial<CheckFilesDeps> = {}): Promise<void> =>
    checkFiles({
      stored: {
        checkedBefore: async (at, limit, except = [], seenBefore) => {
          const now = new Date(this.atMs).toISOString();
          const recheck = new Date(Date.parse(seenBefore ?? at) + 5 * HOUR_MS).toISOString();
          return [...this.files.values()]
            .filter((file) => file.at < at || (seenBefore !== undefined && file.at >= now && file.at < recheck))
            .filter((file) => !except.includes(file.clientId))
            .toSorted((a, b) => (a.at < b.at ? -1 : 1))
            .slice(0, limit);
        },
        expirePending: async (at) => {
          expect(at).toBe(new Date(this.atMs - HOUR_MS).toISOString());
          return 0;
        },
        clientsToAddUp: async (at) => {
          expect(at, 'once a day').toBe(new Date(this.atMs - DAY_MS).toISOString());
          const clients = new Set([...this.files.values()].map(({ clientId }) => clientId));
          return [...clients].filter((clientId) => !this.sums.includes(clientId));
        },
        addUp: async (clientId) => void this.sums.push(clientId),
        correct: async (clientId, states) => {
          for (const { path, bytes } of states) {
            const key = `${clientId}/${path}`;
            const at = new Date(this.atMs).toISOString();
            if (bytes === undefined) this.files.delete(key);
            else this.files.set(key, { clientId, path, bytes, version: 'w', at });
          }
          return [];
        },
      },
      store: {
        open: async (_root, path) => {
          this.looks.push(path);
          this.atMs += this.lookMs;
          if (path.startsWith('gone')) throw new Problem('FILE_NOT_FOUND', 'There is no such file.');
          if (path.startsWith('unreadable')) throw new Problem('STORAGE_FAULT', 'The folder cannot be read.');
          if (path.startsWith('outside')) throw new Problem('INVALID_REQUEST', 'The path leaves the media root.');
          return { sizeBytes: 7, close: async () => {} } as OpenFile;
        },
      },
      rootOf: async (clientId) => {
        if (clientId === 'lost') throw new Error('There is no such client.');
        if (clientId === 'revoked') return undefined;
        return { pathPrefix: '/', grants: [] } as never;
      },
      leases: {
        take: async ({ holder }) => {
          if (this.holder !== undefined && this.holder !== holder) return false;
          this.holder = holder;
          return true;
        },
        release: async () => {
          this.holder = undefined;
        },
      },
      now: () => new Date(this.atMs),
      onFailure: (failure) => void this.failures.push(failure),
      ...more,
    });

  sizes(): Record<string, number> {
    return Object.fromEntries([...this.files].map(([key, { bytes }]) => [key, bytes]));
  }
}

test('corrects the size of a file, forgets one that is gone, and looks at none that was published within the hour', async () => {
  const world = new World();
  world.add('amy', 'grown');
  world.add('amy', 'gone');
  world.add('amy', 'gone-fresh', new Date(START - HOUR_MS + 1).toISOString());
  await world.check();
  expect(world.sizes()).toEqual({ 'amy/grown': 7, 'amy/gone-fresh': 1 });
  expect(world.sums).toEqual(['amy']);
  expect(world.holder).toBeUndefined();
});

test('files that were seen are looked at again hours later, and on a disk after an hour', async () => {
  const world = new World();
  // Seen two hours and half an hour ago.
  world.add('amy', 'seen', new Date(START + 3 * HOUR_MS).toISOString());
  world.add('amy', 'seen-now', new Date(START + 4.5 * HOUR_MS).toISOString());
  await world.check();
  expect(world.looks).toEqual([]);
  await world.check({ recheckMs: HOUR_MS });
  expect(world.looks).toEqual(['seen']);
});

test('files that cannot be looked at still count, and all others are checked', async () => {
  const world = new World();
  for (const path of ['unreadable/a', 'unreadable/b', 'outside/c']) world.add('amy', path, '2026-01-01T00:00:00.000Z');
  world.add('lost', 'd', '2026-01-01T00:00:00.000Z');
  world.add('amy', 'grown');
  world.add('bob', 'gone');
  await world.check();
  expect(world.sizes()).toEqual({
    ...{ 'amy/unreadable/a': 1, 'amy/unreadable/b': 1, 'amy/outside/c': 1 },
    ...{ 'lost/d': 1, 'amy/grown': 7 },
  });
  expect(world.failures).toMatchObject([
    { clientId: 'amy', path: 'unreadable/a', err: { code: 'STORAGE_FAULT' } },
    { clientId: 'lost', err: { message: 'There is no such client.' } },
  ]);
  world.looks.length = 0;
  await world.check();
  expect(world.looks, 'in the next hour').toEqual([]);
});

test('checks all files that are due, however many, but not for longer than a minute, and adds them up', async () => {
  const world = new World();
  for (let index = 0; index < 1000; index += 1) world.add('amy', `gone${index}`);
  world.lookMs = 100;
  await world.check();
  expect(world.files.size).toBe(400);
  expect(world.sums).toEqual(['amy']);
  await world.check();
  expect(world.files.size).toBe(0);
  expect(new Set(world.looks).size, 'each once').toBe(world.looks.length);
});

test('a client whose folder is gone keeps no other one from its turn, and each round looks at one page of it', async () => {
  const world = new World();
  const old = new Date(START - 9 * HOUR_MS).toISOString();
  for (let index = 0; index < 1000; index += 1) world.add('amy', `unreadable${index}`, old);
  for (let index = 0; index < 300; index += 1) world.add('bob', `gone${index}`);
  await world.check();
  expect(world.looks.filter((path) => path.startsWith('unreadable'))).toHaveLength(200);
  expect(world.failures).toHaveLength(1);
  expect(world.files.size, 'all of bob').toBe(1000);
});

test('the files of a revoked client no longer count', async () => {
  const world = new World();
  world.add('revoked', 'a');
  await world.check();
  expect([world.files.size, world.looks, world.failures]).toEqual([0, [], []]);
});

test('one process at a time checks files, and a service that stops ends its round', async () => {
  const world = new World();
  world.add('amy', 'gone');
  world.holder = 'another process';
  await world.check();
  expect(world.looks).toEqual([]);
  world.holder = undefined;
  await world.check({ stopping: AbortSignal.abort() });
  expect([world.looks, world.sums]).toEqual([[], []]);
  await world.check();
  expect(world.looks).toEqual(['gone']);
});
