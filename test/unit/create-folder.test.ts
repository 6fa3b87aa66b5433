import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../../packages/service/src/store/data-folder.ts';
import { needs } from '../support/needs.ts';

test('creates a folder and those above it, and changes nothing if it exists', () => {
  const top = mkdtempSync(join(tmpdir(), 'telecine-folder-'));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const folder = join(top, 'a/b/c');
  createFolder(folder, 0o700);
  createFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

needs('linux')('throws where the kernel has no folder to create, instead of trying for ever', () => {
  for (const path of ['/proc/x', '/proc/x/y/z']) expect(() => createFolder(path)).toThrow('ENOENT');
});
