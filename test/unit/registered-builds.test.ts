import { expect, test } from 'vitest';
import { BuildUnavailable } from '../../packages/ffmpeg/src/catalogue/build.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { encodeCatalogue } from '../../packages/ffmpeg/src/catalogue/registered-catalogue.ts';
import { planSteps } from '../../packages/ffmpeg/src/plan/plan-step.ts';
import { planners } from '../../packages/service/src/jobs/ffmpeg/conversions.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { openBuilds } from '../../packages/service/src/workers/builds.ts';
import type { WorkerRecord } from '../../packages/service/src/workers/ports/worker-store.ts';
import { mediaRoot } from '../support/media-root.ts';
import { CATALOGUE, ON_THE_LOOP } from '../support/planning.ts';

const [HOUR, DAY] = [3600, 86_400];

/** A build that has an encoder more than the ordinary one. */
const RARE: Catalogue = (() => {
  const [x264, help] = [CATALOGUE.lists.encoders.get('libx264'), CATALOGUE.components.get('encoder=libx264')];
  if (x264 === undefined || help === undefined) throw new Error('The catalogue lacks libx264.');
  return {
    ...CATALOGUE,
    build: { ...CATALOGUE.build, key: 'rare' },
    lists: { ...CATALOGUE.lists, encoders: new Map([...CATALOGUE.lists.encoders, ['rare264', x264]]) },
    components: new Map([
      ...CATALOGUE.components,
      ['encoder=rare264', { text: help.text.replace('Encoder libx264', 'Encoder rare264') }],
    ]),
  };
})();

const worker = ({ build: { key } }: Catalogue): WorkerRecord => ({
  ...{ workerId: key, hostName: 'encoder', pid: 1, version: '0.1.0', ffmpegVersion: '5.1', buildKey: key },
  ...{ catalogueKey: key, concurrency: 2, processors: 4, sandbox: 'none', state: 'running', freeScratchBytes: 1 },
  ...{ startedAt: '2026-11-20T10:00:00.000Z', lastSeenAt: '2026-11-20T10:00:00.000Z' },
});

/** What a machine without ffmpeg knows of workers that were seen so many seconds ago, if builds are known for a week. */
function machine(...seen: readonly (readonly [Catalogue, agoSeconds: number])[]) {
  const store = {
    workers: {
      seenWithinEach: async (spans: readonly number[]) =>
        spans.map((seconds) => seen.flatMap(([build, ago]) => (ago <= seconds ? [worker(build)] : []))),
    },
    catalogues: {
      read: async (key: string) => {
        const [build] = seen.find(([{ build: found }]) => found.key === key) ?? [];
        return build && encodeCatalogue(build, '');
      },
    },
  } as unknown as Pick<Store, 'workers' | 'catalogues' | 'tasks'>;
  const builds = openBuilds({
    own: undefined,
    store,
    isShared: true,
    buildSeconds: 7 * DAY,
    stopping: new AbortController().signal,
  });
  const { submissionPlanner } = planners(builds.find, ON_THE_LOOP);
  const context = { clientId: 'amy', root: mediaRoot('/'), policy: {} };
  const submit = (encoder: string) =>
    submissionPlanner({ input: 'a.mp4', output: 'b.mkv', parameters: { 'c:v': encoder } }, context);
  return { builds, submit };
}

const accepted = (needs: readonly string[]) => ({ ok: true, plan: { requirements: { needs } } });

test('requests are accepted while all workers are away, for a week', async () => {
  for (const ago of [HOUR, 6 * DAY])
    expect(await machine([CATALOGUE, ago]).submit('libx264')).toMatchObject(accepted([]));
  await expect(machine([CATALOGUE, 8 * DAY]).submit('libx264')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a request that only a build of a worker that is away runs waits for it', async () => {
  const { submit } = machine([CATALOGUE, 0], [RARE, DAY]);
  expect(await submit('rare264')).toMatchObject(accepted(['encoder:rare264']));
  expect(await submit('none264')).toMatchObject({ ok: false });
});

test('a request that is rejected is planned once for each build', async () => {
  const { builds } = machine([CATALOGUE, 0], [RARE, DAY]);
  const planned: string[] = [];
  const { planner } = planners(builds.find, {
    ofRequest: (_clientId, task) => {
      const steps = planSteps(task);
      return (catalogues) => {
        planned.push(...catalogues.known.map(({ build: { key } }) => key));
        return steps(catalogues);
      };
    },
  });
  const vf = 'scale=w=2:h=2,'.repeat(2000);
  const context = { clientId: 'amy', root: mediaRoot('/'), policy: {} };
  const result = await planner({ input: 'a.mp4', output: 'b.mkv', parameters: { vf, 'c:v': 'none264' } }, context);
  expect(result.ok).toBe(false);
  expect(planned).toEqual([CATALOGUE.build.key, 'rare']);
});

test('a request is planned for the builds that answer, and its job runs on one of them', async () => {
  const current = { ...CATALOGUE, build: { ...CATALOGUE.build, key: 'silent' }, components: new Map() };
  const fault = new BuildUnavailable(current.build, { what: 'does not answer', fix: 'Ask the operator' }, 10);
  const fail = () => Promise.reject(fault);
  const silent = { current, ensure: fail, component: fail, option: fail, classes: fail };
  const { recent } = await machine([CATALOGUE, 0]).builds.find();
  const context = { clientId: 'amy', root: mediaRoot('/'), policy: {} };
  const request = { input: 'a.mp4', output: 'b.mkv', parameters: { 'c:v': 'libx264', crf: '20' } };
  const submit = planners(async () => ({ recent: [silent, ...recent], away: [] }), ON_THE_LOOP).submissionPlanner;
  const needs = [`build:${CATALOGUE.build.key.slice(0, 16)}`];
  expect(await submit(request, context)).toMatchObject(accepted(needs));
  const alone = planners(async () => ({ recent: [silent], away: [] }), ON_THE_LOOP).submissionPlanner;
  await expect(alone(request, context)).rejects.toBe(fault);
});

test('a request that no other build runs is answered 503 while a build cannot be queried', async () => {
  const current = { ...RARE, build: { ...RARE.build, key: 'silent' }, components: new Map() };
  const fault = new BuildUnavailable(current.build, { what: 'does not answer' }, 10);
  const fail = () => Promise.reject(fault);
  const silent = { current, ensure: fail, component: fail, option: fail, classes: fail };
  const known = await machine([CATALOGUE, 0], [RARE, DAY]).builds.find();
  const context = { clientId: 'amy', root: mediaRoot('/'), policy: {} };
  const request = { input: 'a.mp4', output: 'b.mkv', parameters: { 'c:v': 'rare264', crf: '20' } };
  const recent = [silent, ...known.recent];
  const alone = planners(async () => ({ recent, away: [] }), ON_THE_LOOP).submissionPlanner;
  await expect(alone(request, context)).rejects.toBe(fault);
  const withAway = planners(async () => ({ recent, away: known.away }), ON_THE_LOOP).submissionPlanner;
  expect(await withAway(request, context)).toMatchObject({ ok: true });
  const invalid = { ...request, parameters: { ...request.parameters, nonsense: '1' } };
  await expect(withAway(invalid, context)).rejects.toBe(fault);
});

test('a build that was replaced adds no needs to what its successor runs', async () => {
  expect(await machine([RARE, 0], [CATALOGUE, HOUR]).submit('rare264')).toMatchObject(accepted([]));
  const both = machine([RARE, 0], [CATALOGUE, 60]);
  expect(await both.submit('rare264'), 'both run').toMatchObject(accepted(['encoder:rare264']));
});

test('the lists stay the same ones, because plans are cached for them', async () => {
  const { builds } = machine([CATALOGUE, 0], [RARE, DAY]);
  const [first, second] = [await builds.find(), await builds.find()];
  expect(second.recent).toBe(first.recent);
  expect(first.away.map(({ current }) => current.build.key)).toEqual(['rare']);
});
