import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { NEVER } from '../../packages/contract/src/domain/steps.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { diskSource } from '../../packages/service/src/media/local/watches/disk-source.ts';
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
    const source = diskSource({ mediaRoot, reserved: [], timeoutMs: 3000 });
    const watches = Array.from({ length: 2 * THREADS }, () => source.newMemory());
    const scan = async (memory: (typeof watches)[number]): Promise<readonly string[]> => {
      const where = { folder: 'in/', subfolders: true };
      const found: string[] = [];
      for await (const page of source.scan(localRoot(mediaRoot), where, { memory, kind: 'full', signal: NEVER }))
        found.push(...page.map(({ path }) => path));
      return found;
    };
    const scanAnew = async () => {
      const memory = source.newMemory();
      return [await scan(memory), memory.storage];
    };
    // The list of mounts can be a second old.
    await expect.poll(scanAnew, { timeout: 60_000 }).toEqual([['in/1.mov'], 'remote']);

    program.kill('SIGSTOP');
    const ended = await Promise.allSettled(watches.map(scan));
    expect(ended).toMatchObject(watches.map(() => ({ status: 'rejected', reason: { reason: 'timeout' } })));
    // The other threads still work.
    const reads = Array.from({ length: THREADS }, () => readFile(join(disk, 'in/1.mov'), 'utf8'));
    expect(await Promise.all(reads)).toEqual(reads.map(() => 'film'));

    program.kill('SIGCONT');
    await expect
      .poll(() => Promise.all(watches.map(scan)).catch(() => 'unreachable'), { timeout: 60_000 })
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
  const source = diskSource({ mediaRoot, reserved: [], timeoutMs: 3000 });
  const scan = async (folder: string): Promise<readonly string[]> => {
    const [where, memory, found] = [{ folder, subfolders: true }, source.newMemory(), [] as string[]];
    for await (const page of source.scan(localRoot(mediaRoot), where, { memory, kind: 'full', signal: NEVER }))
      found.push(`${memory.storage}`, ...page.map(({ path }) => path).toSorted());
    return found;
  };
  // The list of mounts can be a second old.
  await expect.poll(() => scan('films/'), { timeout: 60_000 }).toEqual(['remote', 'films/far.mov']);
  expect(await scan('in/')).toEqual(['local', 'in/far.mov', 'in/near.mov']);

  program.kill('SIGSTOP');
  const hanging = scan('films/');
  const [far, near] = await Promise.allSettled([hanging, scan('in/')]);
  expect(far).toMatchObject({ status: 'rejected', reason: { reason: 'timeout' } });
  expect(near).toEqual({ status: 'fulfilled', value: ['local', 'in/near.mov'] });

  program.kill('SIGCONT');
  await expect
    .poll(() => scan('in/').catch(() => 'unreachable'), { timeout: 60_000 })
    .toEqual(['local', 'in/far.mov', 'in/near.mov']);
});
