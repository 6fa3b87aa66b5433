import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { NO_OTHERS, pagesOf, UNCOUNTED } from '../../../../test/support/uncounted-files.ts';
import { type MoveDeps, movePath } from './move-path.ts';
import type { UnfinishedJob } from './ports.ts';

const AMY = { clientId: 'amy', policy: {}, root: { pathPrefix: '/srv/media', grants: [] } } as unknown as Caller;

/** A store that moves everything, and counts. `steps`: what was called, in order. */
function world(counted: Readonly<Record<string, number>>, change: Partial<MoveDeps['store']> = {}) {
  const steps: string[] = [];
  const files = Object.entries(counted).map(([path, bytes]) => ({ path, bytes, version: 'v' }));
  const deps: MoveDeps = {
    store: {
      move: async (_root, from, to) => {
        steps.push(`move ${from} ${to}`);
        return { path: to, sizeBytes: 5, modifiedAt: new Date(0), fingerprint: 'f' };
      },
      moveFolder: async (_root, from, to, { prepare } = {}) => {
        await prepare?.();
        steps.push(`move ${from}/ ${to}/`);
      },
      createFolder: async () => {},
      ...change,
    },
    stored: {
      find: async (_clientId, paths) => files.filter(({ path }) => paths.includes(path)),
      below: pagesOf(files),
      records: UNCOUNTED.records,
      count: async (_clientId, some) => void steps.push(`count ${some.map(({ path, bytes }) => `${path}=${bytes}`)}`),
    },
    recount: async (_clientId, paths, own) =>
      void steps.push(`recount ${paths} ${own === undefined ? '' : own.hasAppeared ? 'appeared' : 'perhaps'}`.trim()),
    others: NO_OTHERS,
    unfinished: { unfinished: async function* () {} },
  };
  const move = (from: string, to: string) => movePath(deps, AMY, { from, to, replace: false });
  return { steps, move, deps };
}

test('a moved file counts at its new path before it appears there, so that a crash leaves it counted', async () => {
  const { steps, move } = world({ 'a.mp4': 5 });
  expect(await move('/srv/media/a.mp4', './b.mp4')).toMatchObject({ kind: 'file', path: 'b.mp4', sizeBytes: 5 });
  expect(steps).toEqual(['count b.mp4=5', 'move a.mp4 b.mp4', 'recount b.mp4 appeared', 'recount a.mp4']);
});

test('a file of another program does not count, and neither does it after a move', async () => {
  const { steps, move } = world({});
  await move('a.mp4', 'b.mp4');
  expect(steps).toEqual(['move a.mp4 b.mp4']);
});

test('a file that replaces a counted one is recounted at its path', async () => {
  const { steps, move } = world({ 'b.mp4': 9 });
  await move('a.mp4', 'b.mp4');
  expect(steps).toEqual(['move a.mp4 b.mp4', 'recount b.mp4 perhaps']);
});

test('a failed move is recounted at both paths, because it may have happened', async () => {
  const fails = async (): Promise<never> => {
    throw new Problem('STORAGE_FAULT', 'The disk failed.');
  };
  const { steps, move } = world({ 'a.mp4': 5 }, { move: fails });
  await expect(move('a.mp4', 'b.mp4')).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
  expect(steps).toEqual(['count b.mp4=5', 'recount b.mp4 perhaps', 'recount a.mp4']);
});

test('files of a folder that were counted before the database went away are recounted', async () => {
  const { steps, deps } = world(Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`m/${index}.ts`, 1])));
  let chunks = 0;
  const count: MoveDeps['stored']['count'] = async () => {
    chunks += 1;
    if (chunks === 2) throw new Error('The database is away.');
  };
  const move = { from: 'm/', to: 'n/', replace: false };
  await expect(movePath({ ...deps, stored: { ...deps.stored, count } }, AMY, move)).rejects.toThrow('away');
  expect(steps).toEqual([expect.stringMatching(/^recount n\/0\.ts.* perhaps$/), expect.stringMatching(/^recount m\//)]);
});

test('all counted files of a folder count at their new paths', async () => {
  const { steps, move } = world({ 'm/a.mp4': 1, 'm/d/b.mp4': 2, 'mm.mp4': 3 });
  expect(await move('m/', 'n/o/')).toEqual({ kind: 'folder', path: 'n/o/' });
  expect(steps).toEqual([
    'count n/o/a.mp4=1,n/o/d/b.mp4=2',
    'move m/ n/o/',
    'recount n/o/a.mp4,n/o/d/b.mp4 appeared',
    'recount m/a.mp4,m/d/b.mp4',
  ]);
});

test.for<[from: string, to: string, code: string]>([
  ['a.mp4', './a.mp4', 'SAME_PATH'],
  ['a.mp4', 'folder/', 'IS_DIRECTORY'],
  ['a/', 'a/b', 'INSIDE_ITSELF'],
  ['a/', 'a', 'SAME_PATH'],
  ['../a', 'b', 'OUTSIDE_ROOT'],
  ['a', '.telecine/b', 'RESERVED_NAME'],
  ['/', 'b', 'EMPTY'],
])('rejects a move from %s to %s', async ([from, to, code]) => {
  const { steps, move } = world({});
  const error = await move(from, to).catch((problem: unknown) => problem as Problem);
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ code }] });
  expect(steps).toEqual([]);
});

test('a folder that a job names while it is read stays where it is', async () => {
  const jobs: UnfinishedJob[] = [];
  const { steps, deps } = world(
    { 'm/a.mp4': 5 },
    {
      moveFolder: async (_root, _from, _to, { prepare, before } = {}) => {
        await prepare?.();
        jobs.push({ jobId: 'job-1', status: 'PENDING', request: '{"input":"m/a.mp4","output":"x.mp4"}' });
        await before?.();
        steps.push('moved');
      },
    },
  );
  const unfinished: MoveDeps['unfinished'] = {
    unfinished: async function* () {
      yield* jobs;
    },
  };
  await expect(movePath({ ...deps, unfinished }, AMY, { from: 'm/', to: 'n/', replace: false })).rejects.toMatchObject({
    code: 'FILE_IN_USE',
  });
  expect(steps).toEqual(['count n/a.mp4=5', 'recount n/a.mp4 perhaps', 'recount m/a.mp4']);
});

test('a file that an unfinished job uses stays where it is, and the problem names the job', async () => {
  const { steps, deps } = world({ 'a.mp4': 5 });
  const unfinished: MoveDeps['unfinished'] = {
    unfinished: async function* () {
      yield { jobId: 'job-1', status: 'PENDING', request: '{"input":"a.mp4","output":"x.mp4"}' };
    },
  };
  const move = { from: 'a.mp4', to: 'b.mp4' as MediaPath, replace: false };
  await expect(movePath({ ...deps, unfinished }, AMY, move)).rejects.toMatchObject({
    code: 'FILE_IN_USE',
    message: expect.stringMatching(/job-1.*PENDING.*"a\.mp4"/),
  });
  expect(steps).toEqual([]);
});

test('files of a folder are counted only once its new path is known to be free, and recounted if the folder is missing', async () => {
  const failing = (code: ProblemCode) =>
    world({ 'm/a.mp4': 5 }, { moveFolder: () => Promise.reject(new Problem(code, 'It failed.')) });
  const taken = failing('FILE_EXISTS');
  await expect(taken.move('m/', 'n/')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  expect(taken.steps).toEqual([]);
  const missing = failing('FILE_NOT_FOUND');
  await expect(missing.move('m/', 'n/')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(missing.steps).toEqual(['recount n/a.mp4 perhaps', 'recount m/a.mp4']);
});
