import type { Caller } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { MAX_ZIP_BYTES, MAX_ZIP_FILES } from '@telecine/contract/domain/share.ts';
import { expect, test } from 'vitest';
import { chosenFiles } from './chosen-files.ts';
import type { FileFacts, FileStore, OpenFile } from './ports.ts';

const caller = { root: { pathPrefix: '/srv/media' } } as Caller;

/** A store with these files, and how often each folder was listed. `size`: the bytes of each file. `folders`: how many folders are in each. */
function storeOf(paths: readonly string[], size = 1, folders: Readonly<Record<string, number>> = {}) {
  const listed: string[] = [];
  const closed: string[] = [];
  const facts = (path: string) => ({ path, sizeBytes: size, fingerprint: `1 ${path}` }) as FileFacts;
  const store = {
    open: async (_root, path) => {
      if (!paths.includes(path)) throw new Problem('FILE_NOT_FOUND', path);
      return { ...facts(path), close: async () => void closed.push(path) } as unknown as OpenFile;
    },
    listTree: async (_root, folder, most) => {
      listed.push(folder);
      const found = paths.filter((path) => path.startsWith(`${folder}/`)).map(facts);
      const entries = found.length + (folders[folder] ?? 0);
      return entries > most ? undefined : { files: found, entries };
    },
  } satisfies Pick<FileStore, 'open' | 'listTree'>;
  const choose = (...chosen: readonly string[]) => chosenFiles(store, caller, chosen, new AbortController().signal);
  return { store, listed, closed, choose };
}

const FILES = ['m/a.mov', 'm/b/c.mov', 'm/b/d/e.mov', 'n/a.mov'];

test.each([
  [['m/'], 'm', ['a.mov', 'b/c.mov', 'b/d/e.mov']],
  [['m/b/'], 'b', ['c.mov', 'd/e.mov']],
  [['m/b//'], 'b', ['c.mov', 'd/e.mov']],
  [['m/a.mov'], 'a', ['a.mov']],
  [['m/a.mov', 'm/b/'], 'm', ['a.mov', 'b/c.mov', 'b/d/e.mov']],
  [['m/b/c.mov', 'm/b/d/'], 'b', ['c.mov', 'd/e.mov']],
  [['m/a.mov', 'n/'], 'files', ['m/a.mov', 'n/a.mov']],
  [['/srv/media/m/b/d/'], 'd', ['e.mov']],
] as const)('%j is a zip with the title %s and the names %j', async (paths, title, names) => {
  const { title: found, files } = await storeOf(FILES).choose(...paths);
  expect([found, files.map(({ name }) => name)]).toEqual([title, names]);
});

test('what is chosen twice, or is in a chosen folder, is looked for once', async () => {
  const { choose, listed, closed } = storeOf(FILES);
  const { files } = await choose('m/b/', 'm/b/c.mov', 'm/b/d/', 'm/b/', 'm/a.mov');
  expect(files).toHaveLength(3);
  expect([listed, closed]).toEqual([['m/b'], ['m/a.mov']]);
});

test('too many files, too large ones and none are rejected with what to do', async () => {
  const many = Array.from({ length: MAX_ZIP_FILES + 1 }, (_, i) => `m/${i}`);
  const rejection = (code: string) => expect.objectContaining({ code });
  await expect(storeOf(many).choose('m/')).rejects.toEqual(rejection('TOO_MANY_FILES'));
  await expect(storeOf([...many.slice(1), 'n/a']).choose('m/', 'n/')).rejects.toEqual(rejection('TOO_MANY_FILES'));
  const halves = storeOf(FILES, MAX_ZIP_BYTES / 2);
  expect((await halves.choose('m/b/')).files).toHaveLength(2);
  await expect(halves.choose('m/')).rejects.toMatchObject({
    code: 'TOO_MANY_FILES',
    message: 'These files have 150 GB, and at most 100 GB are sent as one zip.',
    fix: 'Download the files one by one, or fewer folders.',
  });
  await expect(storeOf([]).choose('m/')).rejects.toMatchObject({ message: 'There are no files in folder "m".' });
});

test('folders without files count too, those of all chosen paths together', async () => {
  const rejection = { code: 'TOO_MANY_FILES', message: expect.stringContaining('10000 files and folders') };
  const { choose } = storeOf(FILES, 1, { 'm/b': 4000, n: MAX_ZIP_FILES - 4003 });
  expect((await choose('m/b/', 'n/')).files).toHaveLength(3);
  await expect(choose('m/b/', 'n/', 'm/a.mov')).rejects.toMatchObject(rejection);
  const full = storeOf(FILES, 1, { 'm/b': 4000, n: MAX_ZIP_FILES });
  await expect(full.choose('m/b/', 'n/', 'more/')).rejects.toMatchObject(rejection);
  expect(full.listed, 'and nothing more is read').toEqual(['m/b', 'n']);
});

test('a file that was replaced after it was found is closed, and not sent', async () => {
  const { store, closed, choose } = storeOf(FILES);
  const { files } = await choose('n/');
  const { open } = store;
  store.open = async (root, path) => ({ ...(await open(root, path)), fingerprint: 'another' });
  await expect(files[0]?.open()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(closed).toEqual(['n/a.mov']);
});

test('a client that has left ends the search', async () => {
  const { store, listed } = storeOf(FILES);
  await expect(chosenFiles(store, caller, ['m/'], AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  expect(listed).toEqual([]);
});
