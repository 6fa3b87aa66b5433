import { chmod, chown, lstat, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkRoot, withTemporaryFolder } from '../../packages/ffmpeg/src/process/work-root.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';

test('a start empties the folder that killed probes left files in, and makes it private', async () => {
  const root = join(await testFolder(), 'tmp');
  await mkdir(join(root, 'tool-left/in'), { recursive: true });
  await writeFile(join(root, 'tool-left/in/0'), 'left');
  await chmod(root, 0o777);
  expect(await openWorkRoot(root)).toBe(root);
  expect(await readdir(root)).toEqual([]);
  expect((await lstat(root)).mode & 0o777).toBe(0o700);
});

test('a missing folder is created with mode 0700, and a temporary folder in it is removed after use', async () => {
  const root = await openWorkRoot(join(await testFolder(), 'data/tmp'));
  expect((await lstat(root)).mode & 0o777).toBe(0o700);
  const dir = await withTemporaryFolder(root, async (created) => {
    expect((await lstat(created)).mode & 0o777).toBe(0o700);
    return created;
  });
  expect(dir.startsWith(root)).toBe(true);
  expect(await readdir(root)).toEqual([]);
});

test('symlinks in the folder are removed, and what they name stays', async () => {
  const folder = await testFolder();
  const others = join(folder, 'others');
  await mkdir(others);
  await writeFile(join(others, 'file'), 'keep');
  const root = join(folder, 'tmp');
  await mkdir(join(root, 'tool-left'), { recursive: true });
  await symlink(others, join(root, 'tool-1'));
  await symlink(others, join(root, 'tool-left/in'));
  await openWorkRoot(root);
  expect(await readdir(root)).toEqual([]);
  expect(await readdir(others)).toEqual(['file']);
});

test('a symlink in place of the folder stops the start, and nothing behind it is removed', async () => {
  const folder = await testFolder();
  await mkdir(join(folder, 'others'));
  await writeFile(join(folder, 'others/file'), 'keep');
  const root = join(folder, 'tmp');
  await symlink(join(folder, 'others'), root);
  await expect(openWorkRoot(root)).rejects.toThrow(/tmp is a symlink, or cannot be opened\. Remove it/);
  expect(await readdir(join(folder, 'others'))).toEqual(['file']);
  await rm(root);
  await writeFile(root, 'a file');
  await expect(openWorkRoot(root)).rejects.toThrow(/cannot be opened|EEXIST/);
});

needs('root')('a folder of another user stops the start, and nothing in it is removed', async () => {
  const root = join(await testFolder(), 'tmp');
  await mkdir(root);
  await writeFile(join(root, 'file'), 'keep');
  await chown(root, 65534, 65534);
  await expect(openWorkRoot(root)).rejects.toThrow(/belongs to another user/);
  expect(await readdir(root)).toEqual(['file']);
});
