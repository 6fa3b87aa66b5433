import { execFile } from 'node:child_process';
import { closeSync, constants, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { removeTree, statsOfTree, TreeTooLarge } from '../../packages/service/src/media/scratch/written-tree.ts';
import { failure } from '../contracts/media.ts';
import { openLocal } from '../fixtures/local-media.ts';
import { testFolder } from '../support/folders.ts';
import { AS_NOBODY, needs } from '../support/needs.ts';

const test = needs('linux');

/** Creates nested folders whose path is far longer than PATH_MAX, with a file in the last one. */
function nest(folder: string, levels: number, name = 'n'.repeat(255)): void {
  let fd = openSync(folder, constants.O_RDONLY);
  for (let level = 0; level < levels; level += 1) {
    const path = `/proc/self/fd/${fd}/${name}`;
    mkdirSync(path);
    const next = openSync(path, constants.O_RDONLY);
    closeSync(fd);
    fd = next;
  }
  writeFileSync(`/proc/self/fd/${fd}/deepest`, 'x'.repeat(100_000));
  closeSync(fd);
}

async function measure(folder: string, maxEntries = 1000) {
  let entries = 0;
  let blocks = 0n;
  for await (const stats of statsOfTree(folder, maxEntries)) {
    entries += 1;
    blocks += stats.blocks;
  }
  return { entries, bytes: Number(blocks) * 512 };
}

test('measures files whose path is longer than the kernel accepts', async () => {
  const folder = await testFolder('tree');
  nest(folder, 20);
  const { entries, bytes } = await measure(folder);
  await removeTree(folder, 'n'.repeat(255));
  expect(entries).toBe(21);
  expect(bytes).toBeGreaterThanOrEqual(100_000);
});

test('measures names that are not UTF-8, and does not follow symlinks', async () => {
  const folder = await testFolder('tree');
  const outside = await testFolder('outside');
  await writeFile(join(outside, 'large'), 'x'.repeat(500_000));
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x0a, 0xfe])]), 'x'.repeat(100_000));
  await symlink(outside, join(folder, 'link'));
  const { entries, bytes } = await measure(folder);
  expect(entries).toBe(2);
  expect(bytes).toBeGreaterThanOrEqual(100_000);
  expect(bytes).toBeLessThan(400_000);
});

test('a tree that cannot be measured is an error, never empty', async () => {
  const folder = await testFolder('tree');
  nest(folder, 40, 'n');
  await expect(measure(folder)).rejects.toBeInstanceOf(TreeTooLarge);
  const wide = await testFolder('tree');
  for (let n = 0; n < 11; n += 1) await writeFile(join(wide, `${n}`), '');
  await expect(measure(wide, 10)).rejects.toBeInstanceOf(TreeTooLarge);
  await expect(measure(join(wide, 'none'))).rejects.toThrow('ENOENT');
});

test('removes a tree of any depth, with names of any bytes and folders without permissions', async () => {
  const folder = await testFolder('tree');
  const outside = await testFolder('outside');
  await writeFile(join(outside, 'kept'), 'kept');
  await mkdir(join(folder, 'job/out/closed/inner'), { recursive: true });
  nest(join(folder, 'job/out'), 300);
  for (const name of ['.moved-1', '.moved-2']) await writeFile(join(folder, 'job', name), '');
  await mkdir(join(folder, 'job/.moved-3/full'), { recursive: true });
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/job/`), Buffer.from([0xff, 0x0a, 0xfe])]), 'x');
  await symlink(outside, join(folder, 'job/out/link'));
  await symlink(outside, join(folder, 'job/out/closed/inner/link'));
  await chmod(join(folder, 'job/out/closed/inner'), 0o000);
  await chmod(join(folder, 'job/out/closed'), 0o100);
  await chmod(join(folder, 'job'), 0o000);

  await removeTree(folder, 'job');
  expect(await readdir(folder)).toEqual([]);
  await removeTree(folder, 'job');
  expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept');

  await symlink(outside, join(folder, 'job'));
  await removeTree(folder, 'job');
  expect(await readdir(folder)).toEqual([]);
  expect(existsSync(join(outside, 'kept'))).toBe(true);
});

needs('linux', 'another user')('an ordinary user removes folders without permissions too', async () => {
  const folder = await testFolder('tree');
  await mkdir(join(folder, 'job/out/closed/inner'), { recursive: true });
  await chmod(join(folder, 'job/out/closed'), 0o000);
  const script = `
    const { removeTree } = await import(${JSON.stringify(join(import.meta.dirname, '../../packages/service/src/media/scratch/written-tree.ts'))});
    await removeTree(process.argv[1], 'job');`;
  await promisify(execFile)('chown', ['-R', '65534:65534', folder]);
  const [setpriv, ...args] = AS_NOBODY;
  await promisify(execFile)(setpriv, [...args, process.execPath, '--input-type=module', '-e', script, folder]);
  expect(await readdir(folder)).toEqual([]);
});

test('a conversion that hides its files is stopped by its limits, and its scratch folder is removed', {
  tags: 'long',
}, async () => {
  const t = await openLocal();
  try {
    const scratch = await t.media.openScratch('job', 1);
    nest(join(t.media.scratchFolder(scratch), 'out'), 20);
    expect((await t.media.scratchUsage(scratch)).bytes).toBeGreaterThanOrEqual(100_000);
    await mkdir(join(t.media.scratchFolder(scratch), 'pass'));
    nest(join(t.media.scratchFolder(scratch), 'pass'), 50, 'n');
    await expect(t.media.scratchUsage(scratch)).rejects.toEqual(failure('LIMIT_EXCEEDED'));
    await t.media.discard(scratch);
    expect(await readdir(join(t.mediaRoot, '.telecine/jobs'))).toEqual([]);

    const lost = await t.media.openScratch('lost', 1);
    nest(join(t.media.scratchFolder(lost), 'out'), 50);
    await (await t.restart()).sweep(async () => []);
    expect(await readdir(join(t.mediaRoot, '.telecine/jobs'))).toEqual([]);
  } finally {
    await t.close();
  }
});
