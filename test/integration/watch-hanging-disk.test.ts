import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { mediaDisks } from '../../packages/service/src/media/local/paths/media-disks.ts';
import { isLocalPath, recentMounts } from '../../packages/service/src/media/local/paths/mounts.ts';
import { openDiskWatch } from '../fixtures/disk-watch.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';

const run = promisify(execFile);

/** As many threads as the pool of Node has. */
const THREADS = 4;

/** Mounts `source` at `mount` by a program that can be stopped: then each call to the disk hangs. */
async function mountByProgram(source: string, mount: string): Promise<ChildProcess> {
  const { dev } = await stat(mount);
  const options = 'cache.files=off,cache.attr=0,cache.entry=0,cache.negative_entry=0';
  const program = spawn('mergerfs', ['-f', '-o', options, source, mount], { stdio: 'ignore' });
  onTestFinished(async () => {
    program.kill('SIGCONT');
    await run('fusermount3', ['-u', '-z', mount]).catch(() => undefined);
    program.kill('SIGKILL');
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
  });
  await expect.poll(async () => (await stat(mount)).dev, { timeout: 60_000 }).not.toBe(dev);
  // The list of mounts can be a second old.
  await expect.poll(() => isLocalPath(recentMounts(), mount), { timeout: 60_000 }).toBe(false);
  return program;
}

needs('FUSE mounts')(
  'a disk that hangs is unreachable, and takes one thread, however many watches it has',
  async () => {
    const home = realpathSync(await testFolder('watch'));
    const [disk, mediaRoot] = [join(home, 'disk'), join(home, 'media')];
    for (const folder of [join(disk, 'in'), mediaRoot]) await mkdir(folder, { recursive: true });
    await writeFile(join(disk, 'in/1.mov'), 'film');
    const program = await mountByProgram(disk, mediaRoot);
    const watch = await openDiskWatch(home, { disks: mediaDisks({ threads: THREADS, timeoutMs: 3000 }) });
    onTestFinished(watch.close);
    const watches = Array.from({ length: 2 * THREADS }, () => 'in/');
    const list = async (folder: string): Promise<readonly string[]> => {
      await watch.folders.reach(watch.root, folder);
      return watch.paths(folder);
    };
    expect(await list('in/')).toEqual(['in/1.mov']);

    program.kill('SIGSTOP');
    const ended = await Promise.allSettled(watches.map(list));
    expect(ended).toMatchObject(watches.map(() => ({ status: 'rejected', reason: { code: 'FOLDER_UNREACHABLE' } })));
    // The other threads still work.
    const reads = Array.from({ length: THREADS }, () => readFile(join(disk, 'in/1.mov'), 'utf8'));
    expect(await Promise.all(reads)).toEqual(reads.map(() => 'film'));

    program.kill('SIGCONT');
    await expect
      .poll(() => Promise.all(watches.map(list)).catch(() => 'unreachable'), { timeout: 60_000 })
      .toEqual(watches.map(() => ['in/1.mov']));
  },
);

needs('FUSE mounts')('symlinks to a disk that hangs keep no files of a local folder waiting', async () => {
  const home = realpathSync(await testFolder('watch'));
  const [disk, mediaRoot] = [join(home, 'disk'), join(home, 'media')];
  for (const folder of [join(disk, 'films'), join(mediaRoot, 'in'), join(mediaRoot, 'nas')])
    await mkdir(folder, { recursive: true });
  await writeFile(join(disk, 'films/far.mov'), 'film');
  await writeFile(join(mediaRoot, 'in/near.mov'), 'film');
  const program = await mountByProgram(disk, join(mediaRoot, 'nas'));
  await symlink('../nas/films/far.mov', join(mediaRoot, 'in/far.mov'));
  await symlink('nas/films', join(mediaRoot, 'films'));
  const watch = await openDiskWatch(home, { disks: mediaDisks({ threads: THREADS, timeoutMs: 3000 }) });
  onTestFinished(watch.close);
  expect(await watch.paths('films/')).toEqual(['films/far.mov']);
  expect(await watch.paths('in/')).toEqual(['in/far.mov', 'in/near.mov']);

  program.kill('SIGSTOP');
  const [far] = await Promise.allSettled([watch.paths('films/')]);
  expect(far).toMatchObject({ status: 'rejected', reason: { code: 'FOLDER_UNREACHABLE' } });

  program.kill('SIGCONT');
  await expect
    .poll(() => watch.paths('in/').catch(() => 'unreachable'), { timeout: 60_000 })
    .toEqual(['in/far.mov', 'in/near.mov']);
});
