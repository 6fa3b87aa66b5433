import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { needs } from '../support/needs.ts';
import { decodesClean } from '../support/probe.ts';
import { LONG, openScene, type Scene, VOICE } from './scene.ts';

const test = needs('ffmpeg', 'linux');

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

/**
 * Where one life of the service after the other ends itself: which try that is, and what stands in its place then. What
 * the second try made is what all later ones publish.
 */
const POINTS = [
  { point: 'after-claim', attempt: 1, converted: false, published: 'nothing' },
  { point: 'after-intent', attempt: 2, converted: true, published: 'nothing' },
  { point: 'after-link', attempt: 3, converted: true, published: 'one file' },
  // There are three tries; but what is finished is not given up.
  { point: 'after-commit', attempt: 3, converted: true, published: 'all' },
] as const;

test.for(Object.entries(CASES))(
  'killed at each point in turn with %s: completes once, leaves nothing',
  async ([, { request, files, replaces }]) => {
    const scene = await openScene();
    if (replaces) await scene.put('out/a.m4a', 'old');
    const old = await scene.inode('out/a.m4a');
    const first = await scene.start({ TELECINE_FAILPOINT: POINTS[0].point });
    const jobId = await first.api.accept(request);
    expect((await first.server.exited).signal).toBe('SIGKILL');

    let made: Inodes = {};
    for (const { point, attempt, converted, published } of POINTS) {
      if (point !== POINTS[0].point) await scene.crash(point);
      const scratch = await inodes(scene, `.telecine/jobs/${jobId}.2/out`);
      expect(Object.keys(scratch), point).toEqual(converted ? files : []);
      // The very files of the second try: nothing was converted again.
      if (attempt === 3) expect(scratch, point).toEqual(made);
      made = scratch;
      const standing = await inodes(scene, 'out');
      const ours = Object.keys(standing).filter((name) => Object.values(made).includes(standing[name]));
      expect(ours, point).toHaveLength({ nothing: 0, 'one file': 1, all: files.length }[published]);
      // Replacing makes a hidden name first: the old file stays until the new one takes its name in one step.
      if (replaces && published !== 'all') expect(standing['a.m4a'], point).toBe(old);
      expect(scene.row(jobId), point).toMatchObject(
        published === 'all'
          ? { status: 'COMPLETED', attempt, completed_at: expect.any(String) }
          : { status: 'PROCESSING', attempt, completed_at: null },
      );
    }

    const ended = scene.row(jobId);
    const { api } = await scene.start();
    const job = await api.wait(jobId);
    expect(job).toMatchObject({ status: 'COMPLETED', attempt: 3 });
    expect(job.outputs?.map(({ path }) => path).sort()).toEqual(files.map((name) => `out/${name}`));
    await scene.clean();
    expect(await inodes(scene, 'out')).toEqual(made);
    expect(await decodesClean(join(scene.mediaRoot, request.output))).toBe(true);
    expect(scene.row(jobId)).toEqual(ended);
  },
);

type Inodes = Readonly<Record<string, bigint | undefined>>;

/** Inodes of the files in a folder of the media root, by name. */
async function inodes(scene: Scene, folder: string): Promise<Inodes> {
  const names = (await readdir(join(scene.mediaRoot, folder)).catch(() => [])).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await scene.inode(`${folder}/${name}`)])),
  );
}
