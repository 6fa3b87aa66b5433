import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openUploadRecords, type UploadKey, type UploadRecords } from './upload-records.ts';

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

function open(folder: string): UploadRecords {
  const records = openUploadRecords(folder, expect.unreachable);
  if (records === undefined) throw new Error('The folder can be used.');
  return records;
}

test('a record that cannot be stored does not fail the upload', () => {
  const folder = join(stateFolder(), 'uploads');
  const records = open(folder);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  records.set(KEY, { uploadId: 'u1' });
  records.remove(KEY);
  expect(records.get(KEY)).toBeUndefined();
});

test('an upload continues only in the same mode and with the same content', () => {
  const records = open(join(stateFolder(), 'uploads'));
  records.set(KEY, { uploadId: 'u1' });
  expect(records.get(KEY)).toMatchObject({ uploadId: 'u1' });
  // A command continues an upload only if both were started with `-y` or both without it.
  expect(records.get({ ...KEY, replace: true })).toBeUndefined();
  expect(records.get({ ...KEY, modifiedMs: 2 })).toBeUndefined();
  expect(records.get({ ...KEY, clientId: 'other' })).toBeUndefined();
});

test('records of commands that were never repeated are removed by a later one', () => {
  const folder = join(stateFolder(), 'uploads');
  const records = open(folder);
  records.set(KEY, { uploadId: 'u1' });
  records.set({ ...KEY, path: 'b.mov' }, { uploadId: 'u2' });
  const old = Date.now() / 1000 - 61 * 24 * 3600;
  const [name = ''] = readdirSync(folder);
  utimesSync(join(folder, name), old, old);
  open(folder);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(readdirSync(folder)).not.toContain(name);
});

test('a folder that cannot be written is reported, and there are no records', () => {
  const folder = stateFolder();
  writeFileSync(join(folder, 'file'), '');
  const onUnusable = vi.fn();
  expect(openUploadRecords(join(folder, 'file/uploads'), onUnusable)).toBeUndefined();
  expect(onUnusable).toHaveBeenCalledOnce();
  expect(onUnusable).toHaveBeenCalledWith(expect.stringContaining('ENOTDIR'));
});
