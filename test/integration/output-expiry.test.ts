import { link, mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExpiryTest, outputExpiryContract } from '../contracts/output-expiry.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { filesBelow, type LocalUnderTest, openLocal } from '../fixtures/local-media.ts';

outputExpiryContract(sqlite, 'a local disk', () => openLocal(), test);

async function open() {
  let local: LocalUnderTest | undefined;
  const e = await openExpiryTest(sqlite, async () => {
    local = await openLocal('below');
    return local;
  });
  if (local === undefined) throw new Error('No media were opened.');
  const { rootDir, mediaRoot, home } = local;
  return { ...e, rootDir, mediaRoot, home };
}

test('a hard link to an expired output survives', async () => {
  const e = await open();
  await e.publish('a/o.mp4', { 'o.mp4': 'film' }, 60);
  await link(join(e.rootDir, 'a/o.mp4'), join(e.rootDir, 'mine.mp4'));
  await e.sweep(60);
  expect(await e.t.list()).toEqual(['mine.mp4']);
  expect(await e.t.get('mine.mp4')).toBe('film');
});

test('a symlink in the place of an output, or of its folder, leads to no file that is removed', async () => {
  const e = await open();
  await e.publish('o.mp4', { 'o.mp4': 'film' }, 60);
  await e.publish('a/o.mp4', { 'o.mp4': 'film' }, 60);
  await e.publish('b/o.mp4', { 'o.mp4': 'film' }, 60);
  const outside = join(e.home, 'outside');
  await mkdir(outside);
  // The moved files keep their fingerprints, so only the way to them differs.
  await rename(join(e.rootDir, 'o.mp4'), join(e.rootDir, 'moved.mp4'));
  await symlink('moved.mp4', join(e.rootDir, 'o.mp4'));
  await rename(join(e.rootDir, 'a'), join(outside, 'a'));
  await symlink(join(outside, 'a'), join(e.rootDir, 'a'));
  await rename(join(e.rootDir, 'b/o.mp4'), join(outside, 'o.mp4'));
  await symlink(join(outside, 'o.mp4'), join(e.rootDir, 'b/o.mp4'));
  await e.sweep(60);
  expect(await filesBelow(outside)).toEqual(['a/o.mp4', 'o.mp4']);
  expect(await e.t.list()).toContain('moved.mp4');
});
