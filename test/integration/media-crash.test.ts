import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Failure } from '../../packages/contract/src/domain/failure.ts';
import type { PublishIntent } from '../../packages/service/src/jobs/ports/media-store.ts';
import { filesBelow, type LocalUnderTest, openLocal } from '../fixtures/local-media.ts';
import type { ChildTask } from '../fixtures/local-media-child.ts';
import { output, writeOutputs } from '../fixtures/media-plans.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { needs } from '../support/needs.ts';

const CHILD = join(import.meta.dirname, '../fixtures/local-media-child.ts');
const NOBODY = 65534;
const FILES = { 'x.m3u8': 'new list', 'x0.ts': 'new segment' };

interface Result {
  readonly killed: boolean;
  readonly published?: boolean;
  readonly failure?: Failure;
  readonly warnings?: readonly string[];
}

let t: LocalUnderTest;
afterEach(() => t.close());

const taskIn = (more: Partial<ChildTask> = {}): ChildTask => ({
  mediaRoot: t.mediaRoot,
  dataDir: join(t.home, 'data'),
  root: t.rootDir,
  input: 'in.mp4',
  output: 'hls/x.m3u8',
  replace: false,
  files: FILES,
  intentFile: join(t.home, 'intent.json'),
  killAt: 0,
  ...more,
});

async function run(task: ChildTask, uid?: number): Promise<Result> {
  // Another user cannot read the bundle.
  const program = uid === undefined ? await bundledProgram(CHILD) : CHILD;
  return new Promise((resolve, reject) => {
    const as = uid === undefined ? {} : { uid, gid: uid };
    execFile(process.execPath, [program, JSON.stringify(task)], as, (error, stdout, stderr) => {
      if (error === null) resolve({ killed: false, ...JSON.parse(stdout) });
      else if (error.signal === 'SIGKILL') resolve({ killed: true });
      else reject(new Error(stderr, { cause: error }));
    });
  });
}

/** All files of both roots except the input. */
const files = async (): Promise<readonly string[]> => {
  const all = [...(await filesBelow(t.mediaRoot)), ...(t.rootDir.startsWith(t.mediaRoot) ? [] : await t.list())];
  return all.filter((path) => !path.endsWith('in.mp4')).map((path) => path.replace('client/', ''));
};
const reset = async (replace: boolean): Promise<void> => {
  for (const name of ['hls', '.telecine']) await rm(join(t.rootDir, name), { recursive: true, force: true });
  await rm(join(t.home, 'intent.json'), { force: true });
  await t.put('in.mp4', 'film');
  if (replace) await t.put('hls/x.m3u8', 'old list');
};
const intentOnDisk = async (): Promise<PublishIntent | undefined> =>
  JSON.parse(await readFile(join(t.home, 'intent.json'), 'utf8').catch(() => 'null')) ?? undefined;

describe.each([
  ['own', false, ['long']],
  ['own', true, []],
  ['elsewhere', false, []],
  ['elsewhere', true, ['long']],
] as const)('killed while publishing; media root: %s, replacing: %s', (where, replace, tags) => {
  const here = where === 'elsewhere' ? needs('another disk') : test;
  here('recovers at every step', { tags: [...tags] }, async () => {
    t = await openLocal(where);
    let stepsBefore = 0;
    let stepsAfter = 0;
    for (let killAt = 1; ; killAt++) {
      await reset(replace);
      const { killed } = await run(taskIn({ replace, killAt }));
      const media = await t.restart();
      const intent = await intentOnDisk();
      if (intent === undefined) {
        stepsBefore++;
        expect(await t.get('hls/x.m3u8')).toBe(replace ? 'old list' : undefined);
        expect(await t.get('hls/x0.ts')).toBeUndefined();
        await media.sweep(async () => []);
        expect(await files()).toEqual(replace ? ['hls/x.m3u8'] : []);
        continue;
      }
      if (!killed) break;
      stepsAfter++;
      const half = await t.get('hls/x.m3u8');
      expect([replace ? 'old list' : undefined, FILES['x.m3u8']]).toContain(half);
      await media.sweep(async () => ['job.1']);
      expect(await media.publish(intent)).toBe(true);
      await media.discard({ name: intent.scratch });
      expect(await t.get('hls/x.m3u8')).toBe(FILES['x.m3u8']);
      expect(await t.get('hls/x0.ts')).toBe(FILES['x0.ts']);
      expect(await files()).toEqual(['hls/x.m3u8', 'hls/x0.ts']);
    }
    expect([stepsBefore, stepsAfter].every((steps) => steps >= 2)).toBe(true);
  });
});

test('unpublish and sweep remove all files of a killed publishing', { tags: 'long' }, async () => {
  t = await openLocal('own');
  for (let killAt = 1; ; killAt++) {
    await reset(false);
    const { killed } = await run(taskIn({ killAt }));
    const intent = await intentOnDisk();
    if (intent === undefined) continue;
    if (!killed) break;
    const media = await t.restart();
    await media.unpublish(intent);
    await media.sweep(async () => []);
    expect(await files()).toEqual([]);
  }
});

describe('as a user without rights', () => {
  needs('another user', 'protected links')(
    'without hard links, publishing moves files and survives a kill',
    { tags: 'long' },
    async () => {
      t = await openLocal('own');
      const seen = new Set<string>();
      for (let killAt = 1; ; killAt++) {
        await reset(false);
        const media = await t.restart();
        const scratch = await media.openScratch('job', 1);
        await writeOutputs(t.media, scratch, FILES);
        const intent = await media.prepare(t.root, scratch, [{ files: output('hls/x.m3u8'), report: {} }], []);
        await writeFile(join(t.home, 'intent.json'), JSON.stringify(intent));
        const folders = ['.telecine', '.telecine/jobs', '.telecine/jobs/job.1', '.telecine/jobs/job.1/out', 'hls'];
        await chown(join(t.media.scratchFolder(scratch), 'beside'), NOBODY, NOBODY);
        for (const folder of folders) await chown(join(t.rootDir, folder), NOBODY, NOBODY);
        await chmod(t.home, 0o755);
        const { killed } = await run(taskIn({ killAt }), NOBODY);
        if (!killed) break;
        seen.add(String(await t.get('hls/x0.ts')));
        expect(await run(taskIn(), NOBODY)).toMatchObject({ published: true });
        expect(await t.get('hls/x.m3u8')).toBe(FILES['x.m3u8']);
        expect(await files()).toEqual(['hls/x.m3u8', 'hls/x0.ts']);
      }
      expect([...seen]).toEqual(['undefined', '', FILES['x0.ts']]);
    },
  );

  needs('another user')(
    'a missing permission is reported with a fix and without a host path',
    { tags: 'long' },
    async () => {
      t = await openLocal('own');
      await reset(false);
      await chmod(t.home, 0o777);
      await chmod(join(t.rootDir, 'in.mp4'), 0o600);
      const unreadable = await run(taskIn(), NOBODY);
      expect(unreadable.failure).toMatchObject({ code: 'INPUT_INVALID', fix: expect.stringContaining('read access') });
      expect(unreadable.failure?.message).toContain('"in.mp4"');
      expect(unreadable.warnings).toHaveLength(1);

      await chmod(join(t.rootDir, 'in.mp4'), 0o644);
      await rm(join(t.home, 'data'), { recursive: true });
      const unwritable = await run(taskIn(), NOBODY);
      expect(unwritable.failure).toMatchObject({
        code: 'STORAGE_FAULT',
        fix: expect.arrayContaining([expect.stringContaining('write access')]),
      });
      expect(JSON.stringify(unwritable.failure)).not.toContain(t.home);

      await mkdir(join(t.rootDir, 'hls'));
      await chown(join(t.rootDir, 'hls'), NOBODY, NOBODY);
      await rm(join(t.home, 'data'), { recursive: true });
      expect(await run(taskIn(), NOBODY)).toMatchObject({ published: true });
    },
  );
});
