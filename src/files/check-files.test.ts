import { expect, test } from 'vitest';
import { Problem } from '../domain/problem.ts';
import { checkFiles } from './check-files.ts';
import type { FileToCheck } from './ports/file-checks.ts';
import type { OpenFile } from './ports.ts';

const NOW = new Date('2026-01-31T12:00:00.000Z');

/** Checks files in a storage whose state is told by their names. */
async function check(...paths: readonly string[]) {
  const files = paths.map((path): FileToCheck => ({ clientId: 'amy', path, bytes: 1, version: 'v' }));
  const corrected: Record<string, number | 'gone'> = {};
  const asked: string[] = [];
  const done = checkFiles({
    stored: {
      checkedBefore: async (at) => {
        asked.push(at);
        return files;
      },
      addUpBefore: async () => {},
      correct: async (_clientId, states) => {
        for (const { path, bytes } of states) corrected[path] = bytes ?? 'gone';
        return [];
      },
    },
    store: {
      open: async (_root, path) => {
        if (path === 'gone') throw new Problem('FILE_NOT_FOUND', 'There is no such file.');
        if (path === 'unreadable') throw new Problem('STORAGE_FAULT', 'The storage failed.');
        return { sizeBytes: 7, close: async () => {} } as OpenFile;
      },
    },
    rootOf: async () => ({ pathPrefix: '/', grants: [] }) as never,
    now: () => NOW,
  });
  return { done, corrected, asked };
}

test('corrects the size of a file, forgets one that is gone, and looks at none that was published within the hour', async () => {
  const { done, corrected, asked } = await check('grown', 'gone');
  await done;
  expect(corrected).toEqual({ grown: 7, gone: 'gone' });
  expect(asked).toEqual(['2026-01-31T11:00:00.000Z']);
});

test('a storage that fails makes no file count as gone', async () => {
  const { done, corrected } = await check('unreadable', 'grown');
  await expect(done).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
  expect(corrected).toEqual({ grown: 7 });
});
