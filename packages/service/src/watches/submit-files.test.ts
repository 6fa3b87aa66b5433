import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import { expect, test } from 'vitest';
import type { MadeFile } from '../store/ledger-row.ts';
import { submitFiles } from './submit-files.ts';
import type { WatchDeps } from './watch-deps.ts';
import type { FoundFile } from './watched-folders.ts';

const AT = '2026-01-31T12:00:00.000Z';
const WATCH = { watchId: 'w', clientId: 'amy', folder: 'in/', request: { output: 'o/{name}.mp4' }, maxUnfinished: 20 };
const FILE = { watchId: 'w', path: 'in/a.mov', version: '1', state: 'READY', attempts: 0 } as unknown as WatchedFile;

/** What a file is settled as. */
type Settled = readonly [path: string, as: { readonly state: string; readonly failure?: { readonly code: string } }];

/** Submits files that are ready. `find`: what is at a path now. */
async function submitAll(
  names: readonly string[],
  find: (path: string) => Promise<Partial<FoundFile> | undefined>,
  more: {
    readonly check?: () => Promise<unknown>;
    readonly made?: readonly MadeFile[];
    file?: Partial<WatchedFile>;
  } = {},
) {
  const settled: Settled[] = [];
  const jobs: string[] = [];
  const deps = {
    ledger: {
      due: async () => names.map((name) => ({ ...FILE, ...more.file, path: `in/${name}` })),
      count: async () => 0,
      madeFiles: async () => more.made ?? [],
      update: async ({ path }: WatchedFile, as: Settled[1]) => void settled.push([path, as]),
    },
    folders: { find: async (_root: unknown, path: string) => find(path) },
    jobs: {
      submitWatched: async (_caller: unknown, _watch: unknown, { input }: { readonly input: string }) => {
        await more.check?.();
        jobs.push(input);
      },
    },
    now: () => new Date(AT),
    onError: () => {},
  } as unknown as WatchDeps;
  const changed: string[] = [];
  const round = { watch: WATCH as Watch, caller: {} as Caller, signal: NEVER, mayGoOn: async () => true };
  const result = await submitFiles({ ...deps, ...round, onOther: (path) => void changed.push(path) });
  return { settled, result, jobs, changed };
}

async function submit(found: Partial<FoundFile> | undefined) {
  const { settled, ...more } = await submitAll(['a.mov'], async () => found);
  return { settled: settled.map(([, as]) => as), ...more };
}

test('a file that is gone is skipped, and its path is read again: its disk may come back', async () => {
  const { settled, changed } = await submit(undefined);
  expect(settled).toMatchObject([{ state: 'SKIPPED', skipReason: 'GONE', dueAt: null }]);
  expect(changed).toEqual(['in/a.mov']);
});

test('a file with other content waits until a scan has seen it whole, behind the others', async () => {
  const { settled, result, changed } = await submit({ version: '2' });
  expect(changed).toEqual(['in/a.mov']);
  expect(settled).toMatchObject([{ state: 'READY', dueAt: '2026-01-31T12:00:30.000Z' }]);
  expect(result).toMatchObject({ hasMore: true });
});

const whole = async (path: string): Promise<Partial<FoundFile>> => ({ path: path as MediaPath, version: '1' });

test('a file that the service may not read keeps no others waiting', async () => {
  const { settled, jobs } = await submitAll(['a.mov', 'b.mov', 'c.mov'], async (path) => {
    if (path === 'in/a.mov') throw new Problem('STORAGE_FAULT', 'The service may not read it.');
    return whole(path);
  });
  expect(jobs).toEqual(['in/b.mov', 'in/c.mov']);
  expect(settled).toMatchObject([['in/a.mov', { state: 'FAILED', failure: { code: 'STORAGE_FAULT' } }]]);
});

test('a file whose storage does not answer has not failed, and the others are tried first', async () => {
  const { settled, jobs, changed } = await submitAll(['a.mov', 'b.mov'], async (path) => {
    if (path === 'in/a.mov') throw new Problem('UNAVAILABLE', 'The storage does not answer.');
    return whole(path);
  });
  expect(jobs).toEqual(['in/b.mov']);
  expect(settled).toMatchObject([['in/a.mov', { state: 'READY', dueAt: '2026-01-31T12:00:30.000Z' }]]);
  expect(changed).toEqual([]);
});

test('a file that no probe can read is tried again later, and then waits for a person', async () => {
  const check = () => Promise.reject(new Error('A defect.'));
  const { settled, result } = await submitAll(['a.mov'], whole, { check });
  expect(settled).toMatchObject([['in/a.mov', { state: 'FAILED', dueAt: '2026-01-31T12:01:00.000Z' }]]);
  expect(result.waitingFor).toBeUndefined();
});

test('while nothing can be probed, no file has failed, and all are tried again', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.mov`);
  const error = new Problem('UNAVAILABLE', 'The disk has too little free space.');
  const { settled } = await submitAll(names, whole, { check: () => Promise.reject(error) });
  expect(settled.map(([, { state }]) => state)).toEqual(names.map(() => 'READY'));
});

test('an outage that fails all files is no attempt of any, until it has lasted for an hour', async () => {
  const check = () => Promise.reject(new Problem('STORAGE_FAULT', 'The disk is away.'));
  const first = await submitAll(['a.mov', 'b.mov'], whole, { check });
  const waits = { state: 'FAILED', dueAt: '2026-01-31T12:01:00.000Z', failure: { code: 'STORAGE_FAULT' } };
  expect(first.settled).toMatchObject([
    ['in/a.mov', waits],
    ['in/b.mov', waits],
  ]);
  expect(first.settled.map(([, change]) => 'attempts' in change)).toEqual([false, false]);
  const failedAt = (changedAt: string) =>
    submitAll(['a.mov', 'b.mov'], whole, { check, file: { state: 'FAILED', changedAt } });
  const soon = await failedAt('2026-01-31T11:30:00.000Z');
  expect(soon.settled[0]?.[1]).toMatchObject({ changedAt: '2026-01-31T11:30:00.000Z' });
  expect(soon.settled[0]?.[1]).not.toHaveProperty('attempts');
  const long = await failedAt('2026-01-31T11:00:00.000Z');
  expect(long.settled[0]?.[1]).toMatchObject({ attempts: 1, changedAt: AT });
});

test.each(['STORAGE_FAULT', 'TIMEOUT', 'NO_SPACE'] as const)(
  'a file that fails with %s, which may pass, is tried again later',
  async (code) => {
    const check = () => Promise.reject(new Problem(code, 'The disk is away.'));
    const { settled } = await submitAll(['a.mov'], whole, { check });
    const waits = { state: 'FAILED', attempts: 1, dueAt: '2026-01-31T12:01:00.000Z', failure: { code } };
    expect(settled).toMatchObject([['in/a.mov', waits]]);
  },
);

test('an own output is skipped, also one of a job that runs, and the output of another watch is converted', async () => {
  const made = [
    { path: 'in/own.mov', origins: ['w'] },
    { path: 'in/running.mov', isPending: true, origins: ['v', 'w'] },
    { path: 'in/other.mov', origins: ['v'] },
  ];
  const { settled, jobs } = await submitAll(['own.mov', 'running.mov', 'other.mov'], whole, { made });
  const skipped = { state: 'SKIPPED', skipReason: 'OWN_OUTPUT', dueAt: null };
  expect(settled).toMatchObject([
    ['in/own.mov', skipped],
    ['in/running.mov', skipped],
  ]);
  expect(jobs).toEqual(['in/other.mov']);
});

test('limits of the client fail no file: the watch waits until there is room', async () => {
  for (const code of ['QUOTA_EXCEEDED', 'TOO_MANY_PENDING', 'RATE_LIMITED'] as const) {
    const error = new Problem(code, 'There is no room.', { retryAfterSeconds: 5 });
    const { settled, jobs, result } = await submitAll(['a.mov', 'b.mov'], whole, {
      check: () => Promise.reject(error),
    });
    expect([code, settled, jobs]).toEqual([code, [], []]);
    expect(result).toMatchObject({ waitingFor: 'quota' });
  }
});

test('a file that needs more than the whole quota of a day waits for a person, and the others do not', async () => {
  const quota = { name: 'media', used: 0, limit: 10 } as const;
  const errors: (Problem | undefined)[] = [new Problem('QUOTA_EXCEEDED', 'It is too long.', { quota }), undefined];
  const check = async (): Promise<void> => {
    const error = errors.shift();
    if (error !== undefined) throw error;
  };
  const { settled, jobs, result } = await submitAll(['a.mov', 'b.mov'], whole, { check });
  expect(settled).toMatchObject([['in/a.mov', { state: 'NEEDS_ATTENTION', failure: { code: 'QUOTA_EXCEEDED' } }]]);
  expect(jobs).toEqual(['in/b.mov']);
  expect(result.waitingFor).toBeUndefined();
});

test('a file whose name is a pattern of numbered images waits for a person: ffmpeg would read other files', async () => {
  const { settled, jobs } = await submitAll(['img%03d.png', '100%.mov', 'b.mov'], whole);
  expect(settled).toMatchObject([
    [
      'in/img%03d.png',
      { state: 'NEEDS_ATTENTION', failure: { code: 'INVALID_REQUEST', fix: expect.stringContaining('Rename') } },
    ],
  ]);
  expect(jobs).toEqual(['in/100%.mov', 'in/b.mov']);
});
