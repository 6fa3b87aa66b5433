import { expect, test } from 'vitest';
import { VersionTable } from '../../version-table.ts';
import { DiskMemory, isCertain, type KnownFolder } from './disk-memory.ts';

const known = (more: Partial<KnownFolder> = {}): KnownFolder => ({
  ...{ state: 'a', seenMs: 1000, readMs: 1000, files: new VersionTable() },
  ...more,
});

test('a folder is read again while a change could have the same time as the one before', () => {
  expect(isCertain(undefined, 'a')).toBe(false);
  expect(isCertain(known(), 'a')).toBe(false);
  expect(isCertain(known({ readMs: 3499 }), 'a')).toBe(false);
  expect(isCertain(known({ readMs: 3500 }), 'a')).toBe(true);
  expect(isCertain(known({ readMs: 9000 }), 'b')).toBe(false);
});

test('counts the files of the folders that it knows', () => {
  const memory = new DiskMemory();
  const files = new VersionTable();
  files.set(5, 1);
  memory.remember('a/', known({ files }));
  memory.begin('b/');
  memory.setVersion('b/', 7, 1);
  memory.setVersion('b/', 7, 2);
  memory.setVersion('unknown/', 7, 2);
  expect(memory.files).toBe(2);
  memory.remember('a/', known());
  expect(memory.files).toBe(1);
  memory.forget('b/');
  expect([memory.files, [...memory.folders.keys()]]).toEqual([0, ['a/']]);
});
