import { expect, test } from 'vitest';
import type { MediaPath } from '../../../contract/src/domain/media-path.ts';
import type { WatchedFile } from '../../../contract/src/domain/watch.ts';
import { changesOf, compareFile, fileMatcher, isRenameOf, newRow, originsOf, settleMsOf } from './decide.ts';
import type { FoundFile } from './watched-folders.ts';

const AT = '2026-11-20T10:00:00.000Z';
const RULES = { watchId: 'w', changed: 'ignore', existing: 'convert' } as const;

const found = (change: Partial<FoundFile> = {}): FoundFile => ({
  ...{ path: 'in/a.mov' as MediaPath, bytes: 10, version: 'v1', fileKey: 'k' },
  ...change,
});

const row = (change: Partial<WatchedFile> = {}): WatchedFile => ({
  ...{ watchId: 'w', path: 'in/a.mov' as MediaPath, version: 'v1', bytes: 10, fileKey: 'k' },
  ...{ state: 'CONVERTED', attempts: 1, seenAt: AT, changedAt: AT },
  ...change,
});

const kindOf = (changed: 'ignore' | 'convert', version: string, change: Partial<WatchedFile>): string =>
  compareFile({ changed }, found({ version }), row(change), AT).kind;

test('a file without a row is new, and a row with the same version is known', () => {
  expect(compareFile(RULES, found(), undefined, AT)).toEqual({ kind: 'new', replaces: false });
  for (const state of ['READY', 'SUBMITTED', 'CONVERTED', 'FAILED', 'NEEDS_ATTENTION', 'SKIPPED'] as const)
    expect(kindOf('convert', 'v1', { state }), state).toBe('known');
});

test('a row is written as seen at most once a day', () => {
  const seen = (seenAt: string) => compareFile(RULES, found(), row({ seenAt }), AT);
  expect(seen('2026-11-20T00:00:00.000Z')).toEqual({ kind: 'known', isStale: false });
  expect(seen('2026-11-19T09:00:00.000Z')).toEqual({ kind: 'known', isStale: true });
});

test.each([
  ['READY', 'new', 'new'],
  ['FAILED', 'new', 'new'],
  ['NEEDS_ATTENTION', 'new', 'new'],
  ['SUBMITTED', 'later', 'later'],
  ['CONVERTED', 'known', 'new'],
  ['SKIPPED', 'known', 'new'],
] as const)('new content of a file that is %s is %s, or %s if changes are converted', (state, ignored, converted) => {
  expect([kindOf('ignore', 'v2', { state }), kindOf('convert', 'v2', { state })]).toEqual([ignored, converted]);
});

test('new content of a converted file replaces its outputs, unless its source was moved or deleted', () => {
  const compare = (change: Partial<WatchedFile>, changed: 'ignore' | 'convert') =>
    compareFile({ changed }, found({ version: 'v2' }), row(change), AT);
  expect(compare({}, 'convert')).toMatchObject({ kind: 'new', replaces: true });
  expect(compare({ source: 'DONE' }, 'ignore')).toMatchObject({ kind: 'new', replaces: false });
});

test('another file under the name of a converted one is new, and another content of the same file is ignored', () => {
  const compare = (file: Partial<FoundFile>, change: Partial<WatchedFile> = {}) =>
    compareFile(RULES, found({ version: 'v2', ...file }), row(change), AT);
  expect(compare({ fileKey: 'l', bytes: 11 })).toMatchObject({ kind: 'new', replaces: false });
  expect(compare({ fileKey: 'l', bytes: 11 }, { state: 'SKIPPED', skipReason: 'EXISTED' })).toMatchObject({
    kind: 'new',
  });
  for (const same of [{ bytes: 11 }, { fileKey: 'l' }, { version: 'v3' }])
    expect(compare(same)).toMatchObject({ kind: 'known' });
  expect(compare({ version: 'v1' })).toEqual({ kind: 'known', isStale: false });
  // In an object store, nothing tells a new file from a changed one.
  expect(compare({ fileKey: 'v2', bytes: 11 })).toMatchObject({ kind: 'known' });
});

test('a file that comes back before it was converted is new again', () => {
  expect(kindOf('ignore', 'v1', { state: 'SKIPPED', skipReason: 'GONE' })).toBe('new');
  expect(kindOf('ignore', 'v1', { state: 'SKIPPED', skipReason: 'EXISTED' })).toBe('known');
});

test('a file has the origins of the output at its path with its size, or of its folder', () => {
  const made = [
    { path: 'in/a.mov', bytes: 10, isPending: false, origins: ['w', 'x'] },
    { path: 'in/b.mov', bytes: 7, isPending: true, origins: ['y'] },
    { path: 'hls/', isPending: false, origins: ['z'] },
    { path: 'out/c.mov', bytes: 3, fingerprint: 'k:v9', isPending: false, origins: ['o'] },
  ];
  expect(originsOf(found(), made)).toEqual(['w', 'x']);
  expect(originsOf(found({ bytes: 11 }), made)).toEqual([]);
  expect(originsOf(found({ path: 'in/b.mov' as MediaPath, bytes: 3 }), made)).toEqual(['y']);
  expect(originsOf(found({ path: 'hls/1.ts' as MediaPath }), made)).toEqual(['z']);
  // The same file, by way of a symlink or under another name.
  expect(originsOf(found({ path: 'in/c.mov' as MediaPath, fileKey: 'k', version: 'v9' }), made)).toEqual(['o']);
});

test('an own output is skipped, the output of another watch is not, and a file from before the watch only if asked', () => {
  expect(newRow(RULES, found(), [{ path: 'in/a.mov', isPending: false, origins: ['w'] }])).toMatchObject({
    ...{ state: 'SKIPPED', skipReason: 'OWN_OUTPUT', origins: ['w'] },
  });
  expect(newRow(RULES, found(), [{ path: 'in/a.mov', isPending: false, origins: ['x'] }])).toMatchObject({
    state: 'READY',
    origins: ['x'],
  });
  expect(newRow({ ...RULES, existing: 'ignore' }, found(), [])).toMatchObject({ skipReason: 'EXISTED' });
  expect(newRow({ ...RULES, existing: 'ignore', firstScanAt: AT }, found(), [])).toMatchObject({ state: 'READY' });
});

test('only a file with the key, the size and the version of a row is the row under a new name', () => {
  const at = (change: Partial<FoundFile>) => isRenameOf(found({ path: 'in/b.mov' as MediaPath, ...change }), row());
  expect([at({}), at({ bytes: 11 }), at({ version: 'v2' }), at({ fileKey: 'l' })]).toEqual([true, false, false, false]);
  expect(isRenameOf(found(), row())).toBe(false);
});

test('a renamed file keeps its row, and is ready again if its job has not found it', () => {
  const file = found({ path: 'in/b.mov' as MediaPath });
  const changeFor = (from: WatchedFile) => changesOf(RULES, [{ file, row: from, replaces: false }], [], AT).changed;
  expect(changeFor(row())).toEqual([{ row: row(), change: { path: 'in/b.mov', seenAt: AT } }]);
  const failure = { code: 'INPUT_NOT_FOUND', message: 'It is gone.' };
  const [changed] = changeFor(row({ state: 'FAILED', failure }));
  expect(changed?.change).toMatchObject({ path: 'in/b.mov', state: 'READY', failure: null });
});

test('new content gets a new row, in which nothing of the old one is left', () => {
  const before = row({
    state: 'FAILED',
    attempts: 2,
    failure: { code: 'TIMEOUT', message: 'It hung.' },
    origins: ['x'],
  });
  const file = found({ version: 'v2', bytes: 20 });
  const [changed] = changesOf(RULES, [{ file, row: before, replaces: true }], [], AT).changed;
  expect(changed).toEqual({
    row: before,
    change: {
      ...{ version: 'v2', bytes: 20, fileKey: 'k', state: 'READY', dueAt: AT, attempts: 0, replaces: true },
      ...{ skipReason: null, jobId: null, failure: null, origins: null, seenAt: AT, changedAt: AT },
      ...{ source: null, sourceTarget: null, settleAt: null, outdated: null },
    },
  });
});

const matched = (settings: Partial<Parameters<typeof fileMatcher>[0]>, ...paths: readonly string[]) =>
  paths.filter(fileMatcher({ folder: 'in/', subfolders: true, ...settings }));

test('a watch takes media, or files with names that match its patterns, and none that are left out', () => {
  const paths = ['in/a.mov', 'in/a/B.MXF', 'in/c.txt', 'in/d_proxy.mov'];
  expect(matched({}, ...paths)).toEqual(['in/a.mov', 'in/a/B.MXF', 'in/d_proxy.mov']);
  expect(matched({ patterns: ['*.mxf', '?.txt'] }, ...paths)).toEqual(['in/a/B.MXF', 'in/c.txt']);
  expect(matched({ exclude: ['*_PROXY.*', 'b*'] }, ...paths)).toEqual(['in/a.mov']);
  expect(matched({ subfolders: false }, ...paths)).toEqual(['in/a.mov', 'in/d_proxy.mov']);
});

test('hidden files and folders, and names of transfers in progress, never count', () => {
  const paths = ['in/.a.mov', 'in/.thumbs/a.mov', 'in/a/.b/c.mov', 'in/a.mov.part', 'in/a.mov~', 'in/a.tmp'];
  expect(matched({}, ...paths)).toEqual([]);
  expect(matched({ patterns: ['*'] }, ...paths)).toEqual([]);
  expect(matched({ folder: '.hidden/' }, '.hidden/a.mov')).toEqual(['.hidden/a.mov']);
  expect(matched({ folder: '' }, 'a.mov', 'b/c.mov')).toEqual(['a.mov', 'b/c.mov']);
});

test('a file settles for the seconds of its watch, an object not, and an empty one for ten minutes', () => {
  const watch = { settleSeconds: 10 };
  const settle = (bytes: number, isBucket: boolean) => settleMsOf(watch, found({ bytes }), isBucket);
  expect([settle(1, false), settle(1, true), settle(0, false), settle(0, true)]).toEqual([10_000, 0, 600_000, 600_000]);
});
