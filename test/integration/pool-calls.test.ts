import fs from 'node:fs';
import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type LocalUnderTest, openLocal } from '../fixtures/local-media.ts';
import { input, output, writeOutputs } from '../fixtures/media-plans.ts';
import { needs, OTHER_DISK } from '../support/needs.ts';

let t: LocalUnderTest;
beforeEach(async () => {
  t = await openLocal();
});
afterEach(() => t.close());

/** Calls of `node:fs` during which the event loop waits for a write. */
const WRITES = [
  ...(['chmodSync', 'fchmodSync', 'utimesSync', 'mkdirSync', 'rmdirSync', 'rmSync', 'unlinkSync'] as const),
  ...(['linkSync', 'symlinkSync', 'renameSync', 'copyFileSync', 'writeFileSync', 'writeSync'] as const),
  ...(['fsyncSync', 'fdatasyncSync', 'closeSync'] as const),
];

/** Returns the calls of these functions of `node:fs` from now on. */
function callsOf(names: readonly (keyof typeof fs)[]): readonly (readonly [string, unknown])[] {
  const calls: (readonly [string, unknown])[] = [];
  for (const name of names) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    vi.spyOn(fs as unknown as Record<string, typeof original>, name).mockImplementation((...args) => {
      calls.push([name, args[0]]);
      return original(...args);
    });
  }
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return calls;
}

test('while a job writes to a local disk, the service answers others', async () => {
  await t.put('in.mp4', 'film');
  const calls = callsOf(WRITES);
  const scratch = await t.media.openScratch('job', 1);
  const inputs = await t.media.stage(t.root, scratch, [input('in.mp4')], [output('a/o.mp4')]);
  await writeOutputs(t.media, scratch, { 'o.mp4': 'new' });
  // Publishing sets the mode of published files.
  await chmod(join(t.media.scratchFolder(scratch), 'out/o.mp4'), 0o600);
  await t.media.scratchUsage(scratch);
  const intent = await t.media.prepare(t.root, scratch, [{ files: output('a/o.mp4'), report: {} }], inputs);
  await t.media.publish(intent);
  await t.media.discard(scratch);
  await t.media.unpublish(intent);
  expect(calls).toEqual([]);
});

needs('another disk')(
  'while a media root on another disk is asked for free space, the service answers others',
  async () => {
    const other = await mkdtemp(join(OTHER_DISK, 'telecine-media-'));
    onTestFinished(() => rm(other, { recursive: true }));
    // As if a disk was mounted there while the service runs.
    await rename(t.mediaRoot, join(t.home, 'before'));
    await symlink(other, t.mediaRoot);
    const calls = callsOf(['statfsSync']);
    expect(await t.media.freeBytes()).toBeGreaterThan(0);
    expect(calls.map(([, path]) => path)).not.toContain(t.mediaRoot);
  },
);
