import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { needs } from '../support/needs.ts';
import { decodesClean } from '../support/probe.ts';
import { LONG, openScene, type Scene, VOICE } from './scene.ts';

const CASES = {
  'a file': {
    request: { input: VOICE, output: 'out/a.m4a', parameters: { 'c:a': 'aac' } },
    files: ['a.m4a'],
    replaces: false,
  },
  'a file that replaces another': {
    request: { input: VOICE, output: 'out/a.m4a', parameters: { 'c:a': 'aac', y: '' } },
    files: ['a.m4a'],
    replaces: true,
  },
  'a manifest and its segments': {
    request: {
      input: LONG,
      output: 'out/a.m3u8',
      parameters: {
        'c:v': 'libx264',
        preset: 'ultrafast',
        g: '6',
        hls_time: '0.25',
        hls_list_size: '0',
        t: '1',
        an: '',
      },
    },
    files: ['a.m3u8', 'a0.ts', 'a1.ts', 'a2.ts', 'a3.ts'],
    replaces: false,
  },
} as const;

/** Where the service ends itself: which try then completes, and what stands in its place at that moment. */
const POINTS = {
  'after-claim': { attempt: 2, converted: false, published: 'nothing' },
  'after-intent': { attempt: 2, converted: true, published: 'nothing' },
  'after-link': { attempt: 2, converted: true, published: 'one file' },
  'after-commit': { attempt: 1, converted: true, published: 'all' },
} as const;

describe.each(Object.entries(POINTS))('killed %s', (point, { attempt, converted, published }) => {
  const test = needs('ffmpeg', 'linux');
  test.for(Object.entries(CASES))(
    'with %s: completes once, leaves nothing',
    async ([, { request, files, replaces }]) => {
      const scene = await openScene();
      if (replaces) await scene.put('out/a.m4a', 'old');
      const old = await scene.inode('out/a.m4a');
      const first = await scene.start({ TELECINE_FAILPOINT: point });
      const jobId = await first.api.accept(request);
      expect((await first.server.exited).signal).toBe('SIGKILL');

      const scratch = `.telecine/jobs/${jobId}.1/out`;
      const made = await inodes(scene, scratch);
      expect(Object.keys(made)).toEqual(converted ? files : []);
      const standing = await inodes(scene, 'out');
      const ours = Object.keys(standing).filter((name) => Object.values(made).includes(standing[name]));
      expect(ours).toHaveLength({ nothing: 0, 'one file': 1, all: files.length }[published]);
      // Replacing makes a hidden name first: the old file stays until the new one takes its name in one step.
      if (replaces && published !== 'all') expect(standing['a.m4a']).toBe(old);
      const endedBefore = scene.row(jobId)?.['completed_at'];
      expect(typeof endedBefore).toBe(published === 'all' ? 'string' : 'object');

      const { api } = await scene.start();
      const job = await api.wait(jobId);
      expect(job).toMatchObject({ status: 'COMPLETED', attempt });
      expect(job.outputs?.map(({ path }) => path).sort()).toEqual(files.map((name) => `out/${name}`));
      await scene.clean();
      const final = await inodes(scene, 'out');
      expect(Object.keys(final)).toEqual(files);
      // The very files that were made before the crash: nothing was converted again.
      if (converted) expect(final).toEqual(made);
      expect(await decodesClean(join(scene.mediaRoot, request.output))).toBe(true);
      expect(scene.row(jobId)).toMatchObject({
        fence: attempt,
        ...(endedBefore !== null && { completed_at: endedBefore }),
      });
    },
  );
});

/** Inodes of the files in a folder of the media root, by name. */
async function inodes(scene: Scene, folder: string): Promise<Readonly<Record<string, bigint | undefined>>> {
  const names = (await readdir(join(scene.mediaRoot, folder)).catch(() => [])).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await scene.inode(`${folder}/${name}`)])),
  );
}
