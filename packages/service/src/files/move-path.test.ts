import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { type MoveDeps, movePath } from './move-path.ts';

const AMY = { clientId: 'amy', policy: {}, root: { pathPrefix: '/srv/media', grants: [] } } as unknown as Caller;

/** A store that moves everything. `steps`: what it has moved. */
function world() {
  const steps: string[] = [];
  const deps: MoveDeps = {
    store: {
      move: async (_root, from, to, { isFolder }) => {
        const end = isFolder ? '/' : '';
        steps.push(`move ${from}${end} ${to}${end}`);
        return { kind: 'folder', path: `${to}${end}` };
      },
      createFolder: async () => {},
    },
    unfinished: { unfinished: async function* () {} },
  };
  const move = (from: string, to: string) => movePath(deps, AMY, { from, to, replace: false });
  return { steps, move, deps };
}

test('moves a file or a folder, whose path ends with a slash', async () => {
  const { steps, move } = world();
  expect(await move('/srv/media/a.mp4', './b.mp4')).toMatchObject({ path: 'b.mp4' });
  expect(await move('m/', 'n/o/')).toEqual({ kind: 'folder', path: 'n/o/' });
  expect(steps).toEqual(['move a.mp4 b.mp4', 'move m/ n/o/']);
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
  const { steps, move } = world();
  const error = await move(from, to).catch((problem: unknown) => problem as Problem);
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ code }] });
  expect(steps).toEqual([]);
});

test('a file or a folder that an unfinished job uses stays where it is, and the problem names the job', async () => {
  const { steps, deps } = world();
  const unfinished: MoveDeps['unfinished'] = {
    unfinished: async function* () {
      yield { jobId: 'job-1', status: 'PENDING', request: '{"input":"m/a.mp4","output":"x.mp4"}' };
    },
  };
  for (const from of ['m/a.mp4', 'm/'])
    await expect(movePath({ ...deps, unfinished }, AMY, { from, to: 'b', replace: false })).rejects.toMatchObject({
      code: 'FILE_IN_USE',
      message: expect.stringMatching(`job-1.*PENDING.*"${from}"`),
    });
  expect(steps).toEqual([]);
});
