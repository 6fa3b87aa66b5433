import { chmod, chown, lstat, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';

/** A home folder and a temporary folder, and the settings of a command that uses them. */
async function user() {
  const home = await testFolder('home');
  const temporary = await testFolder('temporary');
  const settings = { HOME: home, TMPDIR: temporary, XDG_CACHE_HOME: '', NODE_COMPILE_CACHE: '' };
  return { home, temporary, settings };
}

const run = async (settings: Readonly<Record<string, string>>): Promise<void> =>
  expect(await runCli(['--version'], settings)).toMatchObject({ code: 0, stderr: '' });

test('compiled code is kept in a private folder of the user, never in the shared temporary folder', async () => {
  const { home, temporary, settings } = await user();
  await run(settings);
  const folder = join(home, '.cache/telecine');
  expect((await lstat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).not.toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
});

test('XDG_CACHE_HOME names the cache folder, and NODE_COMPILE_CACHE of the operator comes first', async () => {
  const { home, settings } = await user();
  const [caches, chosen] = [await testFolder('caches'), await testFolder('chosen')];
  await run({ ...settings, XDG_CACHE_HOME: caches });
  expect(await readdir(caches)).toEqual(['telecine']);
  await run({ ...settings, NODE_COMPILE_CACHE: chosen });
  expect(await readdir(chosen)).not.toEqual([]);
  expect(await readdir(home)).toEqual([]);
});

test('a command runs without a cache if there is no home folder, and does not create one', async () => {
  const { home, settings } = await user();
  await run({ ...settings, HOME: join(home, 'missing') });
  expect(await readdir(home)).toEqual([]);
});

test.each([
  ['is writable for others', async (folder: string) => chmod(folder, 0o777)],
  ['is in a folder that is writable for others', async (folder: string) => chmod(join(folder, '..'), 0o777)],
])('compiled code is not read from a folder that %s', async (_, change) => {
  const { home, settings } = await user();
  const folder = join(home, '.cache/telecine');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await change(folder);
  await run(settings);
  expect(await readdir(folder)).toEqual([]);
});

test('compiled code is not read through a symlink', async () => {
  const { home, settings } = await user();
  const elsewhere = await testFolder('elsewhere');
  await mkdir(join(home, '.cache'));
  await symlink(elsewhere, join(home, '.cache/telecine'));
  await run(settings);
  expect(await readdir(elsewhere)).toEqual([]);
});

needs('root').each([
  ['the folder', '.cache/telecine'],
  ['the cache folder', '.cache'],
  ['the home folder', '.'],
])('compiled code is not read if another user owns %s', async (_, owned) => {
  const { home, settings } = await user();
  const folder = join(home, '.cache/telecine');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chown(join(home, owned), 65534, 65534);
  await run(settings);
  expect(await readdir(folder)).toEqual([]);
});

needs('root')('root leaves nothing in the home folder of another user', async () => {
  const { home, settings } = await user();
  await chown(home, 65534, 65534);
  await run(settings);
  expect(await readdir(home)).toEqual([]);
});
