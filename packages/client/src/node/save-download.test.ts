import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('node:fs/promises');
  vi.resetModules();
});

/** Loads `saveDownload` on a file system without hard links, which also fails to rename if `canRename` is false. */
async function withoutHardLinks({ canRename = true } = {}) {
  vi.resetModules();
  vi.doMock(import('node:fs/promises'), async (importOriginal) => {
    const original = await importOriginal();
    const fail = async (code: string): Promise<never> => {
      throw Object.assign(new Error(code), { code });
    };
    return { ...original, link: () => fail('EPERM'), ...(!canRename && { rename: () => fail('EIO') }) };
  });
  const { saveDownload } = await import('./save-download.ts');
  const folder = mkdtempSync(join(tmpdir(), 'telecine-save-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const target = join(folder, 'out.mp4');
  return { folder, target, save: () => saveDownload(async () => new Response('film'), target, {}) };
}

test('saves a download where the file system has no hard links', async () => {
  const { folder, target, save } = await withoutHardLinks();
  await save();
  expect(readFileSync(target, 'utf8')).toBe('film');
  expect(readdirSync(folder)).toEqual(['out.mp4']);
});

test('replaces no file there', async () => {
  const { folder, target, save } = await withoutHardLinks();
  writeFileSync(target, 'mine');
  await expect(save()).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(target, 'utf8')).toBe('mine');
  expect(readdirSync(folder)).toEqual(['out.mp4']);
});

test('leaves no part of a download that it cannot save there', async () => {
  const { folder, save } = await withoutHardLinks({ canRename: false });
  await expect(save()).rejects.toMatchObject({ code: 'EIO' });
  expect(readdirSync(folder)).toEqual([]);
});
