import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect } from 'vitest';
import { JobFailed } from '../../packages/contract/src/domain/failure.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { failure } from '../contracts/media.ts';
import { type LocalUnderTest, openLocal, REMOTE_DISK } from '../fixtures/local-media.ts';
import { at, jobOutputOf, output, writeOutputs } from '../fixtures/media-plans.ts';
import { needs } from '../support/needs.ts';

const run = promisify(execFile);
const FLIPPER = join(import.meta.dirname, '../fixtures/symlink-flipper.ts');

let t: LocalUnderTest;
afterEach(() => t.close());

// Other systems cannot name a file in an open folder.
needs('linux').each([
  ['a local disk', {}],
  ['a network disk', REMOTE_DISK],
])(
  'no output, folder or deletion on %s follows a folder that keeps becoming a symlink',
  { tags: 'long' },
  async (_disk, options) => {
    t = await openLocal('own', options);
    let published = 0;
    let rejected = 0;
    const outside = join(t.home, 'private');
    await mkdir(outside);
    await mkdir(join(t.rootDir, 'a'));
    await writeFile(join(outside, 'private.mp4'), 'private');
    const privateOutput = await jobOutputOf('a/private.mp4', join(outside, 'private.mp4'));
    const flipper = spawn(process.execPath, [FLIPPER, join(t.rootDir, 'a'), outside], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(flipper, 'exit');
    try {
      await once(flipper.stdout, 'data');

      for (let fence = 1; fence <= 100 || published === 0 || rejected === 0; fence++) {
        const scratch = await t.media.openScratch('job', fence);
        const path = fence % 2 === 0 ? `a/o${fence}.mp4` : `a/new${fence}/o.mp4`;
        await writeOutputs(t.media, scratch, { [path.slice(path.lastIndexOf('/') + 1)]: 'new' });
        try {
          const intent = await t.media.prepare(t.root, scratch, [{ files: output(path), report: {} }], []);
          if (await t.media.publish(intent)) published++;
          else rejected++;
        } catch (error) {
          if (!(error instanceof JobFailed)) throw error;
          rejected++;
        }
        await t.media.removeOutputs(t.root, [privateOutput]).catch((error) => expect(error).toBeInstanceOf(JobFailed));
        await t.media.statPaths(t.root, [at(path)]);
        await t.media.discard(scratch);
      }
    } finally {
      flipper.kill('SIGKILL');
      await ended;
    }
    expect(await readdir(outside)).toEqual(['private.mp4']);
  },
);

// The test mounts a small disk to fill.
needs('mounting')('a full disk is NO_SPACE, and the copied files are removed', async () => {
  t = await openLocal('own');
  const small = join(t.rootDir, 'small');
  await mkdir(small);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]);
  try {
    const scratch = await t.media.openScratch('job', 1);
    await writeOutputs(t.media, scratch, {
      'x0.ts': 'x'.repeat(40_000),
      'x1.ts': 'x'.repeat(40_000),
      'x.m3u8': 'list',
    });
    const prepared = t.media.prepare(localRoot(small), scratch, [{ files: output('x.m3u8'), report: {} }], []);
    await expect(prepared).rejects.toEqual(failure('NO_SPACE'));
    await t.media.discard(scratch);
    expect(await readdir(small)).toEqual([]);
  } finally {
    await run('umount', [small]);
  }
});

// Otherwise a copy could end in a folder of another client, which is opened when this one is closed.
needs('another disk')('a job whose output cannot be copied ends after the copies of its other outputs', async () => {
  t = await openLocal('elsewhere');
  const steps: string[] = [];
  const media = await t.restart({ failpoint: (step) => void steps.push(step) });
  const scratch = await media.openScratch('job', 1);
  await writeOutputs(media, scratch, { 'x0.ts': 'x'.repeat(64_000_000), 'x1.ts': 'x', 'x.m3u8': 'list' });
  // It has the name of the copy of the second file.
  await writeFile(join(t.rootDir, '.telecine-job.1-1'), 'of another');
  await expect(media.prepare(t.root, scratch, [{ files: output('x.m3u8'), report: {} }], [])).rejects.toThrow();
  expect(steps.filter((step) => step === 'copied')).toHaveLength(2);
});

needs('linux')('what NFS leaves of a deleted file is neither published nor a reason to publish nothing', async () => {
  t = await openLocal();
  const scratch = await t.media.openScratch('job', 1);
  await writeOutputs(t.media, scratch, { 'o.mp4': 'converted', '.nfs000000000012d68700000003': 'deleted' });
  const intent = await t.media.prepare(t.root, scratch, [{ files: output('o.mp4'), report: {} }], []);
  expect(await t.media.publish(intent)).toBe(true);
  expect(intent.outputs.map(({ path }) => path)).toEqual(['o.mp4']);
});
