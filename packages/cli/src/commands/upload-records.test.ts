import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openUploadRecords, type UploadKey } from './upload-records.ts';

const KEY: UploadKey = {
  url: 'https://media.example.org',
  clientId: 'shop',
  path: 'films/a.mov',
  file: '/home/amy/a.mov',
  sizeBytes: 7,
  modifiedMs: 1,
  replace: false,
};

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'telecine-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('an upload continues only in the same mode and with the same content', () => {
  const records = openUploadRecords(join(stateFolder(), 'uploads'), expect.unreachable);
  records.set(KEY, { uploadId: 'u1' });
  expect(records.get(KEY)).toEqual({ uploadId: 'u1' });
  // A command continues an upload only if both were started with `-y` or both without it.
  expect(records.get({ ...KEY, replace: true })).toBeUndefined();
  expect(records.get({ ...KEY, modifiedMs: 2 })).toBeUndefined();
  expect(records.get({ ...KEY, clientId: 'other' })).toBeUndefined();
});

test('finds the uploads that are not continued, so that the service can delete them', () => {
  const records = openUploadRecords(join(stateFolder(), 'uploads'), expect.unreachable);
  records.set(KEY, { uploadId: 'u1' });
  expect(records.removeStale(KEY)).toEqual([]);
  expect(records.removeStale({ ...KEY, replace: true })).toEqual(['u1']);
  expect(records.get(KEY)).toBeUndefined();
  records.set(KEY, { uploadId: 'u2' });
  expect(records.removeStale({ ...KEY, sizeBytes: 8 })).toEqual(['u2']);
  records.set(KEY, { done: true });
  expect(records.removeStale({ ...KEY, sizeBytes: 8 })).toEqual([]);
});

test('a folder that cannot be written is reported once, and does not fail the upload', () => {
  const folder = stateFolder();
  writeFileSync(join(folder, 'file'), '');
  const onUnusable = vi.fn();
  const records = openUploadRecords(join(folder, 'file/uploads'), onUnusable);
  records.set(KEY, { uploadId: 'u1' });
  records.set(KEY, { uploadId: 'u1' });
  records.remove(KEY);
  expect(records.get(KEY)).toBeUndefined();
  expect(onUnusable).toHaveBeenCalledOnce();
  expect(onUnusable).toHaveBeenCalledWith(expect.stringContaining('ENOTDIR'));
});

test('without a home folder, nothing is remembered', () => {
  const onUnusable = vi.fn();
  const records = openUploadRecords(undefined, onUnusable);
  records.set(KEY, { uploadId: 'u1' });
  records.remove(KEY);
  expect([records.get(KEY), records.removeStale(KEY)]).toEqual([undefined, []]);
  expect(onUnusable).toHaveBeenCalledWith('this user has no home folder');
});

test('leaves no other files, and removes records of a month ago', () => {
  const folder = stateFolder();
  mkdirSync(join(folder, 'uploads'));
  writeFileSync(join(folder, 'uploads/old.json'), '{}');
  const records = openUploadRecords(join(folder, 'uploads'), expect.unreachable, Date.now() + 31 * 86_400_000);
  records.set(KEY, { uploadId: 'u1' });
  expect(readdirSync(join(folder, 'uploads'))).toEqual([expect.stringMatching(/^[\da-f]{64}\.json$/)]);
});
