import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, planOf } from '../fixtures/conversion.ts';
import { filesBelow, type LocalUnderTest, openLocal } from '../fixtures/local-media.ts';
import { output, writeOutputs } from '../fixtures/media-plans.ts';
import { SANDBOXES } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';

let t: LocalUnderTest;
beforeEach(async () => {
  t = await openLocal();
});
afterEach(() => t.close());

/** Does what a user who may write to the media root can do: moves .telecine, and puts a symlink in its place. */
async function swapServiceFolder(): Promise<{ readonly outside: string; readonly moved: string }> {
  const outside = join(t.home, 'outside');
  for (const folder of ['in', 'out', 'pass', 'beside'])
    await mkdir(join(outside, 'jobs/job.1', folder), { recursive: true });
  await writeFile(join(outside, 'jobs/job.1/out/o.mp4'), 'of another user');
  await writeFile(join(outside, 'kept'), 'of another user');
  const moved = join(t.mediaRoot, 'moved');
  await rename(join(t.mediaRoot, '.telecine'), moved);
  await symlink(outside, join(t.mediaRoot, '.telecine'));
  return { outside, moved };
}

needs('linux')(
  'a job whose scratch folder is swapped publishes what its own folder holds, and removes only that',
  async () => {
    const scratch = await t.media.openScratch('job', 1);
    const { outside, moved } = await swapServiceFolder();
    const before = await filesBelow(outside);
    await writeOutputs(t.media, scratch, { 'o.mp4': 'converted' });
    expect((await t.media.scratchUsage(scratch)).files).toBe(1);
    const intent = await t.media.prepare(t.root, scratch, [{ files: output('o.mp4'), report: {} }], []);
    expect(await t.media.publish(intent)).toBe(true);
    expect(await t.get('o.mp4')).toBe('converted');
    await t.media.discard(scratch);
    expect(await readdir(join(moved, 'jobs'))).toEqual([]);
    await t.media.sweep(async () => []);
    await t.media.discard({ name: 'job.1' });
    expect(await filesBelow(outside)).toEqual(before);
  },
);

needs('linux')('a service that starts on a swapped folder neither uses nor sweeps it', async () => {
  const { outside } = await swapServiceFolder();
  const before = await filesBelow(outside);
  const media = await t.restart();
  await media.sweep(async () => []);
  const scratch = await media.openScratch('job', 2);
  expect(await realpath(media.scratchFolder(scratch))).toBe(join(t.home, 'data/scratch/jobs/job.2'));
  await media.discard({ name: 'job.1' });
  expect(await filesBelow(outside)).toEqual(before);
});

needs('linux', 'root')('a folder of another user is not used', async () => {
  await chown(join(t.mediaRoot, '.telecine'), 65534, 65534);
  const media = await t.restart();
  const scratch = await media.openScratch('job', 1);
  expect(await realpath(media.scratchFolder(scratch))).toBe(join(t.home, 'data/scratch/jobs/job.1'));
  expect(t.warnings).toContain('scratch folders are outside the media root; publishing may have to copy');
});

describe.each(SANDBOXES)('$kind', ({ sandbox, test: withSandbox }) => {
  withSandbox('ffmpeg writes to the folder that the service made, whatever is at its path', async () => {
    const scratch = await t.media.openScratch('job', 1);
    const { outside } = await swapServiceFolder();
    const before = await filesBelow(outside);
    const plan = planOf('out/o.mp4', [['-i', 'in/0.mp4', '-t', '0.2', '-c', 'copy', 'out/o.mp4']]);
    const outcome = await runConversion(conversion(sandbox, t.media.scratchFolder(scratch), plan));
    expect(outcome).toMatchObject({ ok: true });
    expect(await filesBelow(outside)).toEqual(before);
    const intent = await t.media.prepare(t.root, scratch, [{ files: output('o.mp4'), report: {} }], []);
    expect(intent.outputs[0]?.sizeBytes).toBeGreaterThan(1000);
    expect(await readFile(join(outside, 'jobs/job.1/out/o.mp4'), 'utf8')).toBe('of another user');
  });
});

test.each([
  [0o770, 1],
  [0o757, 1],
  [0o755, 0],
])('warns at start of a media root that other users may write to: mode %o', async (mode, warnings) => {
  await chmod(t.mediaRoot, mode);
  const before = t.warnings.length;
  await t.restart();
  expect(t.warnings.slice(before)).toEqual(Array(warnings).fill('other users can write to the media root'));
});

needs('mounting')('a scratch folder that cannot be removed is reported, and goes with a later sweep', async () => {
  const scratch = await t.media.openScratch('job', 1);
  const other = await t.media.openScratch('job', 2);
  const folder = await realpath(t.media.scratchFolder(scratch));
  const busy = join(folder, 'out/busy');
  await mkdir(busy);
  await promisify(execFile)('mount', ['-t', 'tmpfs', 'tmpfs', busy]);
  try {
    await expect(t.media.discard(scratch)).rejects.toThrow('failed while removing a scratch folder (EBUSY)');
    expect(t.ended).toContain(folder);
    await t.media.sweep(async () => []);
    expect(t.warnings).toContain('scratch folder of an earlier run not removed');
  } finally {
    await promisify(execFile)('umount', [busy]);
  }
  await t.media.sweep(async () => []);
  expect(await readdir(join(t.mediaRoot, '.telecine/jobs'))).toEqual(['job.2']);
  await t.media.discard(other);
});
