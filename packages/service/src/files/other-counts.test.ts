import type { CountedFile } from '@telecine/contract/domain/stored-files.ts';
import { expect, test } from 'vitest';
import { type ClientFolder, otherCounts } from './other-counts.ts';

/**
 * Clients whose media roots overlap. `files`: what counts for each, by path. `changedMeanwhile`: paths at which another request counts a new file
 * before the change ends. `steps`: what was called, in order.
 */
function world(files: Readonly<Record<string, readonly string[]>>, changedMeanwhile: readonly string[] = []) {
  const folders: readonly ClientFolder[] = [
    { clientId: 'admin', folder: '/srv/media/' },
    { clientId: 'same', folder: '/srv/media/' },
    { clientId: 'same2', folder: '/srv/media/' },
    { clientId: 'renders', folder: '/srv/media/renders/' },
    { clientId: 'other', folder: '/srv/media-2/' },
  ];
  const steps: string[] = [];
  /** The clients of which each query for a folder asks. */
  const reads: (readonly string[])[] = [];
  const countedOf = (clientId: string): readonly CountedFile[] =>
    (files[clientId] ?? []).map((path) => ({ path, bytes: 5, version: `v of ${path}` }));
  const others = otherCounts({
    folders: async () => folders,
    recount: async (clientId, paths, own) =>
      void steps.push(`recount ${clientId} ${paths} ${own === undefined ? '' : own.hasAppeared}`.trim()),
    stored: {
      findOf: async (clientIds, path) =>
        clientIds.flatMap((clientId) =>
          countedOf(clientId).flatMap((file) => (file.path === path ? [{ ...file, clientId }] : [])),
        ),
      findClientsBelow: async (clientIds, folder) => {
        reads.push(clientIds);
        return clientIds.filter((clientId) => countedOf(clientId).some(({ path }) => path.startsWith(folder)));
      },
      below: async (clientId, folder, limit, after = '') =>
        countedOf(clientId)
          .filter(({ path }) => path.startsWith(folder) && path > after)
          .slice(0, limit),
      count: async (clientId, some) => void steps.push(`count ${clientId} ${some.map(({ path }) => path)}`),
      correct: async (clientId, states) => {
        for (const { path, bytes, version } of states) steps.push(`correct ${clientId} ${path} ${bytes} ${version}`);
        return states.map(({ path }) => path).filter((path) => changedMeanwhile.includes(path));
      },
    },
  });
  const found = async (clientId: string, entry: string) =>
    (await others.find(clientId, entry)).map((file) => `${file.clientId} ${file.path}`);
  return { others, found, steps, reads };
}

const FILES = { same: ['a', 'renders/b', 'x/c'], renders: ['b', 'd/e'], other: ['a'], admin: ['a'] };

test('a file counts for each other client whose media root it is in', async () => {
  const { found } = world(FILES);
  expect(await found('admin', 'a')).toEqual(['same a']);
  expect(await found('admin', 'renders/b')).toEqual(['same renders/b', 'renders renders/b']);
  expect(await found('renders', 'b')).toEqual(['same b']);
  expect(await found('renders', 'd/e')).toEqual([]);
  expect(await found('unknown', 'a')).toEqual([]);
});

test('one query finds which of the clients of a media root have files in a folder', async () => {
  const { found, reads } = world({ same: ['a'], same2: ['x/c'] });
  expect(await found('admin', 'x/')).toEqual(['same2 x/c']);
  expect(reads).toEqual([['same', 'same2']]);
});

test('a folder is searched in media roots that it is in, and in those that are in it', async () => {
  const { found } = world(FILES);
  expect(await found('admin', 'renders/')).toEqual(['same renders/b', 'renders renders/b', 'renders renders/d/e']);
  expect(await found('admin', 'renders/d/')).toEqual(['renders renders/d/e']);
  expect(await found('renders', 'd/')).toEqual([]);
});

test('a file that leaves the media root of its client no longer counts, and one that stays counts at its new path', async () => {
  const { others, steps } = world(FILES);
  const change = others.change('admin', await others.find('admin', 'renders/b'), () => 'x/new');
  await change.begin();
  await change.end(true);
  expect(steps).toEqual([
    'count same x/new',
    'recount same x/new true',
    'correct same renders/b undefined v of renders/b',
    'correct renders b undefined v of b',
  ]);
});

test('a change that failed is looked at, because it may have happened', async () => {
  const { others, steps } = world(FILES);
  await others.change('admin', await others.find('admin', 'renders/d/')).end(false);
  expect(steps).toEqual(['recount renders d/e']);
});

test('a path at which another request has counted a file meanwhile is looked at', async () => {
  const { others, steps } = world({ renders: ['b', 'c'] }, ['b']);
  await others.change('admin', await others.find('admin', 'renders/')).end(true);
  expect(steps).toEqual([
    'correct renders b undefined v of b',
    'correct renders c undefined v of c',
    'recount renders b',
  ]);
});

test('the most files that are found are those of all other clients together', async () => {
  const { others } = world(FILES);
  const find = async (most: number) => (await others.find('admin', 'renders/', most)).map(({ path }) => path);
  expect(await find(2)).toEqual(['renders/b', 'renders/b']);
  expect(await find(1)).toEqual(['renders/b']);
});
