import type { Caller } from '@telecine/contract/domain/client.ts';
import type { TimeEstimate } from '@telecine/contract/domain/estimate.ts';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test, vi } from 'vitest';
import { draftOf } from '../../../../../test/support/planned-drafts.ts';
import type { PathStat } from '../ports/media-store.ts';
import { dryRunRequest } from './dry-run.ts';
import { probingPlanner } from './probed-plans.ts';

const caller: Caller = { clientId: 'a', scopes: [], root: { pathPrefix: '/media' } as MediaRoot, policy: {} };
const pathOf = (text: string) => {
  const path = parseMediaPath(text, '/media');
  if (typeof path !== 'string') throw new Error(path.message);
  return path;
};

const plan = (replace: boolean): Plan => ({
  inputs: [
    { logical: 'in/0.mp4', path: pathOf('a.mp4'), field: '/inputs/0' },
    { logical: 'in/1/%06d.png', path: pathOf('img%03d.png'), field: '/inputs/1', sequence: {} },
  ],
  outputs: [
    {
      ...{
        field: '/output',
        logical: 'out/b.mp4',
        subfolder: '',
        names: [['b.mp4']],
        folder: '',
        path: pathOf('b.mp4'),
      },
      ...{ muxer: 'mp4', replace, span: { inputs: [{}, {}], output: {}, shortest: false } },
      encoders: { video: ['libx264'] },
    },
  ],
  passes: [['-i', 'file:in/0.mp4', 'file:out/b.mp4']],
  warnings: [{ field: '/parameters/to', code: 'NO_EFFECT', message: 'Both.' }],
});

const existing: PathStat = { kind: 'file', fileId: '1:1', fingerprint: '1' };
/** The first image of the sequence. */
const FRAME = 'img001.png';
const statsOf = (stats: Readonly<Record<string, PathStat>>) => async (_root: MediaRoot, paths: readonly string[]) =>
  paths.map((path): PathStat => stats[path] ?? { kind: 'missing' });

const run = (stats: Readonly<Record<string, PathStat>>, replace = false) =>
  dryRunRequest(
    {
      planner: async () => ({ ok: true, plan: plan(replace) }),
      jobs: { getMany: async () => [] },
      media: { statPaths: statsOf({ [FRAME]: existing, ...stats }) },
    },
    caller,
    { inputs: ['a.mp4', 'img%03d.png'], output: 'b.mp4' },
  );
const codes = async (...args: Parameters<typeof run>) => (await run(...args)).warnings.map(({ code }) => code);

test('shows the plan with the names that the argv uses', async () => {
  expect(await run({ 'a.mp4': existing })).toEqual({
    argv: [['ffmpeg', '-i', 'file:in/0.mp4', 'file:out/b.mp4']],
    plan: {
      inputs: [
        { name: 'in/0.mp4', path: 'a.mp4' },
        { name: 'in/1/%06d.png', path: 'img%03d.png' },
      ],
      outputs: [
        {
          name: 'out/b.mp4',
          path: 'b.mp4',
          muxer: 'mp4',
          replace: false,
          files: [['b.mp4']],
          encoders: { video: ['libx264'] },
        },
      ],
      passes: 1,
    },
    warnings: plan(false).warnings,
  });
});

test('warns of a missing input', async () => {
  const { warnings } = await run({});
  expect(warnings.slice(1)).toMatchObject([{ field: '/inputs/0', code: 'INPUT_NOT_FOUND' }]);
});

test('warns of a sequence without one of the first five pictures that ffmpeg looks for', async () => {
  const { warnings } = await run({ 'a.mp4': existing, [FRAME]: { kind: 'missing' } });
  expect(warnings.slice(1)).toMatchObject([
    { field: '/inputs/1', code: 'INPUT_NOT_FOUND', message: expect.stringContaining('from 0 to 4') },
  ]);
  const ofLast = await run({ 'a.mp4': existing, [FRAME]: { kind: 'missing' }, 'img004.png': existing });
  expect(ofLast.warnings.slice(1)).toEqual([]);
});

test('says once what two outputs of a run have in common, and what the plan has said not again', async () => {
  const late = { code: 'FFMPEG_FAILED', message: 'Nothing was written. The job would fail.' };
  const foreseen = [late, { field: '/parameters/to', code: 'NO_EFFECT', message: 'In other words.' }, { ...late }];
  const { warnings } = await dryRunRequest(
    {
      planner: async () => ({ ok: true, plan: plan(false) }),
      jobs: { getMany: async () => [] },
      media: { statPaths: statsOf({ 'a.mp4': existing, [FRAME]: existing }) },
      estimate: async () => ({
        estimate: { outputs: [], time: {} },
        unreadable: [],
        foreseen,
        encoded: new Set<never>(),
      }),
    },
    caller,
    { inputs: ['a.mp4', 'img%03d.png'], output: 'b.mp4' },
  );
  expect(warnings.filter(({ code }) => code === 'FFMPEG_FAILED' || code === 'NO_EFFECT')).toEqual([
    ...plan(false).warnings,
    late,
  ]);
});

test('says how a wildcard in the name of a missing input is read', async () => {
  const planned = plan(false);
  const inputs = [{ logical: 'in/0.png', path: pathOf('frames/*.png'), field: '/input' }];
  const { warnings } = await dryRunRequest(
    {
      planner: async () => ({ ok: true, plan: { ...planned, inputs, warnings: [] } }),
      jobs: { getMany: async () => [] },
      media: { statPaths: async (_root, paths) => paths.map(() => ({ kind: 'missing' })) },
    },
    caller,
    { input: 'frames/*.png', output: 'b.mp4' },
  );
  expect(warnings).toMatchObject([
    { code: 'INPUT_NOT_FOUND', message: expect.stringContaining('"pattern_type": "glob"') },
  ]);
});

test('looks up no other spellings of an image sequence, whose path is no file', async () => {
  const statPaths = vi.fn(statsOf({ 'a.mp4': existing, [FRAME]: existing }));
  const planner = async () => ({ ok: true, plan: plan(false) }) as const;
  const jobs = { getMany: async () => [] };
  await dryRunRequest({ planner, jobs, media: { statPaths } }, caller, {
    inputs: ['a.mp4', 'img%03d.png'],
    output: 'b.mp4',
  });
  const looked = statPaths.mock.calls.flatMap(([, paths]) => paths);
  expect(looked.filter((path) => !/^(?:a\.mp4|b\.mp4|img(?:%03d|00[0-4])\.png)$/.test(path))).toEqual([]);
});

const foreign = (stats: Readonly<Record<string, PathStat>>) => {
  const [planned] = plan(false).outputs;
  if (planned === undefined) throw new Error('The plan has no output.');
  const missing = plan(false)
    .inputs.slice(0, 1)
    .map((one) => ({ ...one, path: pathOf('/mnt/data/a.mp4') }));
  return dryRunRequest(
    {
      planner: async () => ({
        ok: true,
        plan: { ...plan(false), inputs: missing, outputs: [{ ...planned, path: pathOf('/mnt/data/out/b.mp4') }] },
      }),
      jobs: { getMany: async () => [] },
      media: { statPaths: async (_root, paths) => paths.map((path) => stats[path] ?? { kind: 'missing' }) },
    },
    caller,
    { input: '/mnt/data/a.mp4', output: '/mnt/data/out/b.mp4' },
  ).then(({ warnings }) => warnings.filter(({ code }) => code === 'FOREIGN_PATH'));
};

test('warns of an output at a path of another machine, unless the input is in such a folder too', async () => {
  const warning = {
    field: '/output',
    code: 'FOREIGN_PATH',
    message: expect.stringMatching(/^"\/mnt\/data\/out\/b\.mp4".* becomes "mnt\/data\/out\/b\.mp4" in it\.$/),
  };
  const folder: PathStat = { kind: 'directory' };
  expect(await foreign({})).toEqual([warning]);
  expect(await foreign({ mnt: folder })).toEqual([warning]);
  expect(await foreign({ mnt: folder, 'mnt/data/a.mp4': existing })).toEqual([]);
});

test('warns of an existing output, unless the request replaces it', async () => {
  const stats = { 'a.mp4': existing, 'b.mp4': { kind: 'file', fileId: '1:2', fingerprint: '1' } as const };
  expect(await codes(stats)).toEqual(['NO_EFFECT', 'OUTPUT_EXISTS']);
  expect(await codes(stats, true)).toEqual(['NO_EFFECT']);
});

test('warns of an input that cannot be read, with its cause', async () => {
  const cause = { message: 'It is an HTML page.', fix: 'Send a media file.' };
  const { warnings, estimate } = await dryRunRequest(
    {
      planner: async () => ({ ok: true, plan: { ...plan(false), warnings: [] } }),
      jobs: { getMany: async () => [] },
      media: { statPaths: statsOf({ 'a.mp4': existing, [FRAME]: existing }) },
      estimate: async () => ({
        estimate: { outputs: [], time: { unknown: 'Unknown.' } },
        unreadable: [{ index: 0, cause }],
        foreseen: [],
        encoded: new Set<never>(),
      }),
    },
    caller,
    { input: 'a.mp4', output: 'b.mp4' },
  );
  expect(estimate).toBeDefined();
  expect(warnings).toEqual([
    {
      field: '/inputs/0',
      code: 'INPUT_INVALID',
      message: 'It is an HTML page. The job would fail.',
      fix: 'Send a media file.',
    },
  ]);
});

test('says that an input could not be read in time, instead of what it may be', async () => {
  const probes = [{ input: 0, start: 0, needsLength: true, needsHeaders: true }] as const;
  const missing: PathStat = { kind: 'missing' };
  const warnings = async (error: Error) => {
    const planner = async () => ({ ...draftOf(plan(false)), probes });
    const deps = {
      planner: probingPlanner(planner, () => Promise.reject(error)),
      jobs: { getMany: async () => [] },
      media: {
        statPaths: async (_root: unknown, paths: readonly unknown[]) =>
          paths.map((path) => (path === 'a.mp4' ? existing : missing)),
      },
    };
    const cut = { keep: [{ start: 1 }] };
    return (await dryRunRequest(deps, caller, { inputs: ['a.mp4', 'img%03d.png'], cut, output: 'b.mp4' })).warnings;
  };
  const late = {
    code: 'ASSUMED_MEDIA',
    field: '/cut',
    message: expect.stringContaining('"a.mp4" could not be read in'),
  };
  expect(await warnings(new DOMException('', 'TimeoutError'))).toContainEqual(expect.objectContaining(late));
  expect(await warnings(new Problem('TIMEOUT', 'Too long.'))).toContainEqual(expect.objectContaining(late));
  expect(await warnings(new Problem('UNAVAILABLE', 'No ffprobe.'))).toContainEqual(
    expect.objectContaining({ ...late, message: expect.stringContaining('Not all inputs') }),
  );
});

/** The dry run of a request with chunks: what it says of them, and of the time. */
async function inChunks(
  chunks: 'auto' | { seconds: number },
  {
    durationSeconds,
    time = {},
    workers = 1,
  }: {
    readonly durationSeconds?: number;
    readonly time?: TimeEstimate;
    readonly workers?: number;
  },
) {
  const chunked = { ...plan(false), chunks: { outputs: [] } } as unknown as Plan;
  const outputs = [durationSeconds === undefined ? {} : { durationSeconds }];
  const { plan: view, estimate } = await dryRunRequest(
    {
      planner: async () => ({ ok: true, plan: chunked }),
      jobs: { getMany: async () => [] },
      media: { statPaths: statsOf({ [FRAME]: existing, 'a.mp4': existing }) },
      estimate: async () => ({ estimate: { outputs, time }, unreadable: [], foreseen: [], encoded: new Set() }),
      sharingWorkers: () => Array.from({ length: workers }, () => ({ concurrency: 1 })),
    },
    { ...caller, policy: { running: 4 } },
    { inputs: ['a.mp4', 'img%03d.png'], output: 'b.mp4', chunks },
  );
  return { chunks: view.chunks, time: estimate?.time };
}

test('says what chunks of "auto" would do with an input of this length', async () => {
  const chunksOf = async (...of: Parameters<typeof inChunks>) =>
    (await inChunks(of[0], { ...of[1], workers: 4 })).chunks;
  expect(await chunksOf('auto', { durationSeconds: 60 })).toEqual({
    ...{ isWhole: true, reason: 'The input has 60 s. With "auto", chunks need at least 600 s.' },
  });
  expect(await chunksOf('auto', { durationSeconds: 600 })).toEqual({
    ...{ isWhole: false, reason: '4 workers share the input, in chunks of about 19 s.' },
  });
  // The length is unknown, or the client has chosen chunks.
  expect(await chunksOf('auto', {})).toEqual({ isWhole: false });
  expect(await chunksOf({ seconds: 5 }, { durationSeconds: 60 })).toEqual({ isWhole: false });
});

test('the time of a job in chunks is that of all workers, if they are free', async () => {
  const seconds = { low: 100, likely: 160, high: 260 };
  const time = { seconds, basis: 'jobs' } as const;
  const timeOf = async (chunks: 'auto' | { seconds: number }, durationSeconds: number) =>
    (await inChunks(chunks, { durationSeconds, time, workers: 4 })).time;
  const inShare = { seconds: { low: 25, likely: 40, high: 260 }, basis: 'jobs' };
  expect(await timeOf('auto', 600)).toEqual(inShare);
  expect(await timeOf({ seconds: 30 }, 60)).toEqual(inShare);
  // It runs whole.
  expect(await timeOf('auto', 60)).toEqual(time);
});
