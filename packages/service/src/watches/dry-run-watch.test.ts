import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { WatchSettings } from '@telecine/contract/domain/watch.ts';
import { httpHint } from '@telecine/contract/wire/hint-text.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { checkRequestOf, type DryRunJobs, dryRunWatch } from './dry-run-watch.ts';
import type { WatchDeps } from './watch-deps.ts';
import type { FoundFile } from './watched-folders.ts';

const CALLER: Caller = {
  clientId: 'amy',
  scopes: ['jobs:write', 'files:read'],
  root: mediaRoot('/media'),
  policy: {},
};
const SETTINGS: WatchSettings = {
  folder: 'in/',
  subfolders: true,
  request: { output: 'out/{name}.mp4' },
  source: 'keep',
  changed: 'ignore',
  existing: 'convert',
  settleSeconds: 10,
  maxUnfinished: 20,
};
const FILES = ['in/a.mov', 'in/b.mov'].map(
  (path) => ({ path: path as MediaPath, bytes: 5, version: 'v' }) as FoundFile,
);

/** Runs a dry run over a folder, or over one that cannot be read. */
function runIn(folder: readonly FoundFile[] | Problem, settings: Partial<WatchSettings> = {}) {
  const planned: unknown[] = [];
  const deps = {
    folders: {
      list: async () => {
        if (folder instanceof Problem) throw folder;
        return folder;
      },
    },
    watches: { list: async () => [] },
    now: () => new Date('2026-01-31T12:00:00Z'),
  } as unknown as WatchDeps;
  const jobs = {
    dryRun: async (_caller: unknown, { output }: { output: string }) => {
      planned.push(output);
      return { warnings: [] };
    },
    usage: async () => ({ slots: 1 }),
  } as unknown as DryRunJobs;
  const { signal } = new AbortController();
  const check = { ...deps, jobs, caller: CALLER, settings: { ...SETTINGS, ...settings }, signal };
  return { planned, result: dryRunWatch(check, httpHint) };
}

test('a dry run counts the files that are there', async () => {
  expect(await runIn(FILES).result).toMatchObject({ files: 2, sizeBytes: 10, examined: 2, warnings: [] });
});

test('a dry run that ignores the files that are there converts none of them, and says how many are ignored', async () => {
  const { planned, result } = runIn(FILES, { existing: 'ignore' });
  expect(await result).toEqual({
    files: 0,
    sizeBytes: 0,
    ignored: 2,
    examples: [],
    examined: 0,
    rejected: 0,
    warnings: [],
  });
  // The request is checked all the same.
  expect(planned).toEqual(['out/telecine-example.mp4']);
});

test('a dry run of a folder that cannot be read says so', async () => {
  const problem = new Problem('FOLDER_UNREACHABLE', 'It cannot be read.');
  await expect(runIn(problem).result).rejects.toBe(problem);
});

const filesOf = (count: number): readonly FoundFile[] =>
  Array.from({ length: count }, (_, index) => ({ path: `in/${index}.mov`, bytes: 5, version: 'v' }) as FoundFile);

test('while a dry run counts a page of files, other requests have their turn', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await runIn(filesOf(500)).result;
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(15);
});

test('of a large request, a dry run reads only the outputs for each file', async () => {
  const readsFor = async (files: number): Promise<number> => {
    let reads = 0;
    const parameters = {
      get crf() {
        reads += 1;
        return '23';
      },
    };
    await runIn(filesOf(files), { request: { output: 'out/{name}.mp4', parameters } }).result;
    return reads;
  };
  expect(await readsFor(300)).toBe(await readsFor(3));
});

test('two files with the same output are named', async () => {
  const warnings = async (paths: readonly string[]) => {
    const files = paths.map((path) => ({ path: path as MediaPath, bytes: 5, version: 'v' }) as FoundFile);
    return (await runIn(files).result).warnings;
  };
  expect(await warnings(['in/a/x.mov', 'in/b/y.mov', 'in/b/x.mov', 'in/c/x.mov'])).toEqual([
    expect.stringMatching(/^"in\/a\/x\.mov" and "in\/b\/x\.mov" would have the same output\./),
  ]);
});

test('two files with the same output are named also if only one of the outputs has no folder', async () => {
  const files = ['in/a/x.mov', 'in/b/x.mov'].map((path) => ({ path: path as MediaPath, bytes: 5, version: 'v' }));
  const outputs = [{ output: 'out/{folder}{name}.mp4' }, { output: 'out/{name}.jpg' }];
  expect(await runIn(files, { request: { outputs } }).result).toMatchObject({
    warnings: [expect.stringContaining('would have the same output')],
  });
});

test('a dry run rejects a file whose name is a pattern of numbered images, as the watch does', async () => {
  const files = ['in/img%03d.png'].map((path) => ({ path: path as MediaPath, bytes: 5, version: 'v' }));
  expect(await runIn(files).result).toMatchObject({
    ...{ examined: 1, rejected: 1 },
    examples: [{ failure: { code: 'INVALID_REQUEST', fix: expect.stringContaining('Rename') } }],
  });
});

test('a watch is rejected for a hidden part also of its inputs, of which other errors may be about the example file', async () => {
  const now = () => new Date('2026-01-31T12:00:00Z');
  const rejecting = (code: string): DryRunJobs => ({
    dryRun: async () => {
      throw invalidRequest([{ field: '/inputs/1/parameters/decryption_key', code, message: 'No.' }]);
    },
    usage: async () => {
      throw new Error('Nothing is estimated.');
    },
  });
  const check = { now, caller: CALLER, settings: SETTINGS, signal: NEVER };
  await expect(checkRequestOf({ ...check, jobs: rejecting('HIDDEN_PART') })).rejects.toMatchObject({
    errors: [{ field: '/request/inputs/1/parameters/decryption_key', code: 'HIDDEN_PART' }],
  });
  await checkRequestOf({ ...check, jobs: rejecting('INPUT_NOT_FOUND') });
});
