import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { WatchSettings } from '@telecine/contract/domain/watch.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { fairSlots } from '../jobs/call-quota.ts';
import { type DryRunWatchDeps, dryRunWatch } from './dry-run-watch.ts';
import { FolderUnreachable, type FoundFile } from './ports.ts';

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
function runIn(folder: readonly FoundFile[] | FolderUnreachable, settings: Partial<WatchSettings> = {}) {
  const planned: unknown[] = [];
  const deps = {
    source: {
      newMemory: () => ({}),
      scan: async function* () {
        if (folder instanceof FolderUnreachable) throw folder;
        yield folder;
      },
    },
    jobs: {
      dryRun: async (_caller: unknown, { output }: { output: string }) => {
        planned.push(output);
        return {};
      },
      usage: async () => ({ slots: 1 }),
    },
    now: () => new Date('2026-01-31T12:00:00Z'),
    scanSlots: fairSlots({ slots: 1 }),
  } as unknown as DryRunWatchDeps;
  const { signal } = new AbortController();
  return { planned, result: dryRunWatch(deps, CALLER, { ...SETTINGS, ...settings }, signal) };
}

test('a dry run counts the files that are there', async () => {
  expect(await runIn(FILES).result).toMatchObject({ files: 2, sizeBytes: 10, examined: 2, warnings: [] });
});

test('a dry run that ignores the files that are there converts none of them, and says how many are ignored', async () => {
  const { planned, result } = runIn(FILES, { existing: 'ignore' });
  expect(await result).toEqual({
    files: 0,
    sizeBytes: 0,
    isWhole: true,
    ignored: 2,
    examples: [],
    examined: 0,
    rejected: 0,
    warnings: [],
  });
  // The request is checked all the same.
  expect(planned).toEqual(['out/telecine-example.mp4']);
});

test.each([
  ['missing', /Create the folder/],
  ['denied', /Ask the operator for access/],
  ['down', /again in a minute/],
  ['timeout', /again in a minute/],
] as const)('a folder that cannot be read because it is %s gets its own fix', async (reason, fix) => {
  await expect(runIn(new FolderUnreachable(reason)).result).rejects.toMatchObject({
    code: 'FOLDER_UNREACHABLE',
    fix: expect.stringMatching(fix),
  });
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
