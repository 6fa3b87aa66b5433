import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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
  expect(records.get(KEY)).toMatchObject({ uploadId: 'u1' });
  // A command continues an upload only if both were started with `-y` or both without it.
  expect(records.get({ ...KEY, replace: true })).toBeUndefined();
  expect(records.get({ ...KEY, modifiedMs: 2 })).toBeUndefined();
  expect(records.get({ ...KEY, clientId: 'other' })).toBeUndefined();
});

test('records of commands that were never repeated are removed by a later one', () => {
  const folder = join(stateFolder(), 'uploads');
  const records = openUploadRecords(folder, expect.unreachable);
  records.set(KEY, { uploadId: 'u1' });
  records.set({ ...KEY, path: 'b.mov' }, { uploadId: 'u2' });
  const old = Date.now() / 1000 - 61 * 24 * 3600;
  const [name = ''] = readdirSync(folder);
  utimesSync(join(folder, name), old, old);
  records.set({ ...KEY, path: 'c.mov' }, { uploadId: 'u3' });
  expect(readdirSync(folder)).toHaveLength(2);
  expect(readdirSync(folder)).not.toContain(name);
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
