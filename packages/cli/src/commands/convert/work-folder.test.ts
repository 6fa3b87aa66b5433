import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lockFolder } from '@telecine/service/store/data-folder.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createWorkFolder } from './work-folder.ts';

/** Creates a folder with the work folders of several commands. One command was killed. */
function folderWithLeftovers() {
  const parent = mkdtempSync(join(tmpdir(), 'telecine-work-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const makeOld = (path: string): void => utimesSync(path, new Date(0), new Date(0));
  const leave = (name: string): string => {
    const folder = join(parent, `.telecine-local-${name}`);
    mkdirSync(join(folder, 'data'), { recursive: true });
    mkdirSync(join(folder, 'media'));
    writeFileSync(join(folder, 'media/film.mp4'), 'film');
    makeOld(folder);
    return folder;
  };
  return { parent, leave, makeOld };
}

test('removes the folders of killed commands, also after folders that stay', () => {
  const { parent, leave, makeOld } = folderWithLeftovers();
  // Folders in the order of their names: locked, without data, a symlink, just created, and of a killed command.
  const unlock = lockFolder(join(leave('1-running'), 'data'), 'in use');
  onTestFinished(unlock);
  makeOld(join(parent, '.telecine-local-1-running'));
  rmSync(join(leave('2-half'), 'data'), { recursive: true });
  makeOld(join(parent, '.telecine-local-2-half'));
  mkdirSync(join(parent, 'of-another'));
  writeFileSync(join(parent, 'of-another/file'), '');
  symlinkSync(join(parent, 'of-another'), join(parent, '.telecine-local-3-symlink'));
  mkdirSync(join(parent, '.telecine-local-4-young'));
  leave('5-killed');

  const { folder } = createWorkFolder(parent);
  expect(readdirSync(parent).toSorted()).toEqual(
    [
      '.telecine-local-1-running',
      '.telecine-local-3-symlink',
      '.telecine-local-4-young',
      basename(folder),
      'of-another',
    ].toSorted(),
  );
  expect(readdirSync(join(parent, 'of-another'))).toEqual(['file']);
});

test('creates no file below a symlink of that name', () => {
  const { parent, leave, makeOld } = folderWithLeftovers();
  const folder = leave('1-data');
  mkdirSync(join(parent, 'of-another'));
  rmSync(join(folder, 'data'), { recursive: true });
  symlinkSync(join(parent, 'of-another'), join(folder, 'data'));
  makeOld(folder);
  createWorkFolder(parent);
  expect(readdirSync(join(parent, 'of-another'))).toEqual([]);
});

test('creates the folder in the next one above that exists', () => {
  const { parent } = folderWithLeftovers();
  const { folder, mediaRoot } = createWorkFolder(join(parent, 'not/there'));
  expect(folder.startsWith(join(parent, '.telecine-local-'))).toBe(true);
  expect(readdirSync(mediaRoot)).toEqual([]);
});
