import { expect, test } from 'vitest';
import type { MediaPath } from '../../../contract/src/domain/media-path.ts';
import type { WatchedFile } from '../../../contract/src/domain/watch.ts';
import { compareFile, fileMatcher, isRenameOf, newRow, originsOf, renamed, renewed, settleMsOf } from './decide.ts';
import type { FoundFile } from './watched-folders.ts';

const AT = '2026-11-20T10:00:00.000Z';
const RULES = { changed: 'ignore', existing: 'convert' } as const;

const found = (change: Partial<FoundFile> = {}): FoundFile => ({
  ...{ path: 'in/a.mov' as MediaPath, bytes: 10, version: 'v1', fileKey: 'k' },
  ...change,
});

const row = (change: Partial<WatchedFile> = {}): WatchedFile => ({
  ...{ watchId: 'w', path: 'in/a.mov' as MediaPath, version: 'v1', bytes: 10, fileKey: 'k' },
  ...{ state: 'CONVERTED', attempts: 1, seenAt: AT, changedAt: AT },
  ...change,
});

const kindOf = (changed: 'ignore' | 'convert', version: string, change: Partial<WatchedFile>): string => {
  const compared = compareFile({ changed }, found({ version }), row(change));
  return typeof compared === 'string' ? compared : 'new';
};

test('a file without a row is new, and a row with the same version is known', () => {
  expect(compareFile(RULES, found(), undefined)).toEqual({ replaces: false });
  for (const state of ['READY', 'SUBMITTED', 'CONVERTED', 'FAILED', 'NEEDS_ATTENTION', 'SKIPPED'] as const)
    expect(kindOf('convert', 'v1', { state }), state).toBe('known');
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
    compareFile({ changed }, found({ version: 'v2' }), row(change));
  expect(compare({}, 'convert')).toEqual({ replaces: true });
  for (const changed of ['ignore', 'convert'] as const)
    expect(compare({ source: 'DONE' }, changed)).toEqual({ replaces: false });
});

test('another file under the name of a converted one is new, and another content of the same file is ignored', () => {
  const compare = (file: Partial<FoundFile>, change: Partial<WatchedFile> = {}) =>
    compareFile(RULES, found({ version: 'v2', ...file }), row(change));
  const isNew = { replaces: false };
  expect(compare({ fileKey: 'l', bytes: 11 })).toEqual(isNew);
  expect(compare({ fileKey: 'l', bytes: 11 }, { state: 'SKIPPED', skipReason: 'EXISTED' })).toEqual(isNew);
  for (const same of [{ bytes: 11 }, { fileKey: 'l' }, { version: 'v3' }]) expect(compare(same)).toBe('known');
  expect(compare({ version: 'v1' })).toBe('known');
  // In an object store, nothing tells a new file from a changed one.
  expect(compare({ fileKey: 'v2', bytes: 11 })).toBe('known');
});

test('a file that comes back before it was converted is new again', () => {
  expect(kindOf('ignore', 'v1', { state: 'SKIPPED', skipReason: 'GONE' })).toBe('new');
  expect(kindOf('ignore', 'v1', { state: 'SKIPPED', skipReason: 'EXISTED' })).toBe('known');
});

test('a file has the origins of the output at its path with its size, or of its folder', () => {
  const made = [
    { path: 'in/a.mov', bytes: 10, origins: ['w', 'x'] },
    { path: 'in/b.mov', bytes: 7, isPending: true, origins: ['y'] },
    { path: 'hls/', origins: ['z'] },
    { path: 'out/c.mov', bytes: 3, fingerprint: 'k:v9', origins: ['o'] },
  ];
  expect(originsOf(found(), made)).toEqual(['w', 'x']);
  expect(originsOf(found({ bytes: 11 }), made)).toEqual([]);
  expect(originsOf(found({ path: 'in/b.mov' as MediaPath, bytes: 3 }), made)).toEqual(['y']);
  expect(originsOf(found({ path: 'hls/1.ts' as MediaPath }), made)).toEqual(['z']);
  // The same file, by way of a symlink or under another name.
  expect(originsOf(found({ path: 'in/c.mov' as MediaPath, fileKey: 'k', version: 'v9' }), made)).toEqual(['o']);
});

test('a file from before the watch is skipped only if asked', () => {
  expect(newRow({ existing: 'ignore' }, found())).toMatchObject({ state: 'SKIPPED', skipReason: 'EXISTED' });
  expect(newRow({ existing: 'ignore', firstScanAt: AT }, found())).toMatchObject({ state: 'READY' });
  expect(newRow({ existing: 'convert' }, found())).toMatchObject({ state: 'READY' });
  expect(newRow({ existing: 'convert' }, found(), true)).toMatchObject({ state: 'SKIPPED', skipReason: 'OWN_OUTPUT' });
});

test('only a file with the key, the size and the version of a row is the row under a new name', () => {
  const at = (change: Partial<FoundFile>) => isRenameOf(found({ path: 'in/b.mov' as MediaPath, ...change }), row());
  expect([at({}), at({ bytes: 11 }), at({ version: 'v2' }), at({ fileKey: 'l' })]).toEqual([true, false, false, false]);
  expect(isRenameOf(found(), row())).toBe(false);
});

test('a renamed file keeps its row, and is ready again if its job has not found it', () => {
  const file = found({ path: 'in/b.mov' as MediaPath });
  expect(renamed(row(), file, AT)).toEqual({ path: 'in/b.mov', seenAt: AT });
  const failure = { code: 'INPUT_NOT_FOUND', message: 'It is gone.' };
  const again = renamed(row({ state: 'FAILED', failure }), file, AT);
  expect(again).toMatchObject({ path: 'in/b.mov', state: 'READY', failure: null });
});

test('new content gets a new row, in which nothing of the old one is left', () => {
  expect(renewed(newRow(RULES, found({ version: 'v2', bytes: 20 })), true, AT)).toEqual({
    ...{ version: 'v2', bytes: 20, fileKey: 'k', state: 'READY', dueAt: AT, attempts: 0, replaces: true },
    ...{ skipReason: null, jobId: null, failure: null, seenAt: AT, changedAt: AT },
    ...{ source: null, sourceTarget: null, settleAt: null },
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
  const watch = { settleSeconds: 10, existing: 'convert' } as const;
  const settle = (bytes: number, isBucket: boolean) => settleMsOf(watch, found({ bytes }), isBucket);
  expect(settleMsOf({ ...watch, existing: 'ignore' }, found({ bytes: 0 }), false)).toBe(0);
  expect([settle(1, false), settle(1, true), settle(0, false), settle(0, true)]).toEqual([10_000, 0, 600_000, 600_000]);
});
