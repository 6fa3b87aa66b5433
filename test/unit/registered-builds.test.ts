import { expect, test } from 'vitest';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { catalogueOf } from '../../packages/ffmpeg/src/catalogue/parse-answers.ts';
import { encodeCatalogue } from '../../packages/ffmpeg/src/catalogue/serialized-catalogue.ts';
import { findNeedsElsewhere, planners } from '../../packages/service/src/jobs/ffmpeg/conversions.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { meetsNeedHere, openBuilds } from '../../packages/service/src/workers/builds.ts';
import type { WorkerRecord } from '../../packages/service/src/workers/ports/worker-store.ts';
import { mediaRoot } from '../support/media-root.ts';
import { CATALOGUE, ON_THE_LOOP, requestWith } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

const [HOUR, DAY] = [3600, 86_400];

/** A build that has an encoder more than the ordinary one. */
const RARE = catalogueOf(
  { ...CATALOGUE.build, key: 'rare' },
  {
    ...CATALOGUE.answers,
    encoders: CATALOGUE.answers.encoders.replace(/^( V\S+ )libx264 (.*)$/m, '$1libx264 $2\n$1rare264 $2'),
  },
);

const worker = ({ build: { key } }: Catalogue): WorkerRecord => ({
  ...{ workerId: key, hostName: 'encoder', pid: 1, version: '0.1.0', ffmpegVersion: '5.1', buildKey: key },
  ...{ catalogueKey: key, concurrency: 2, processors: 4, sandbox: 'none', state: 'running', freeScratchBytes: 1 },
  ...{ startedAt: '2026-11-20T10:00:00.000Z', lastSeenAt: '2026-11-20T10:00:00.000Z' },
});

const context = { clientId: 'amy', root: mediaRoot('/'), policy: {} };

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
        return build && encodeCatalogue(build);
      },
    },
  } as unknown as Pick<Store, 'workers' | 'catalogues' | 'tasks'>;
  const builds = openBuilds({
    own: undefined,
    store,
    isShared: true,
    buildSeconds: 7 * DAY,
  });
  const { submissionPlanner } = planners(builds.find, ON_THE_LOOP);
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

test('a build that was replaced adds no needs to what its successor runs', async () => {
  expect(await machine([RARE, 0], [CATALOGUE, HOUR]).submit('rare264')).toMatchObject(accepted([]));
  const both = machine([RARE, 0], [CATALOGUE, 60]);
  expect(await both.submit('rare264'), 'both run').toMatchObject(accepted(['encoder:rare264']));
});

test('the catalogues stay the same ones, because plans are cached for them', async () => {
  const { builds } = machine([CATALOGUE, 0], [RARE, DAY]);
  const [first, second] = [await builds.find(), await builds.find()];
  expect(second.recent[0]).toBe(first.recent[0]);
  expect(first.away.map(({ build }) => build.key)).toEqual(['rare']);
});

test('a job that a worker rejects for a value goes to the build that accepts it, and fails where no build does', async () => {
  const newer = recordedCatalogue('7.1');
  const { builds, submit } = machine([CATALOGUE, 0], [newer, 0]);
  const needsElsewhere = (own: Catalogue, pixelFormat: string) => {
    const find = findNeedsElsewhere(builds.find, { ofJob: ON_THE_LOOP.ofRequest }, (need) => meetsNeedHere(own, need));
    return find(requestWith({ 'c:v': 'rawvideo', pix_fmt: pixelFormat }, 'b.nut'), context);
  };
  expect(await submit('rawvideo')).toMatchObject(accepted([]));
  const needs = (await needsElsewhere(CATALOGUE, 'p412le')) ?? [];
  expect(needs).toEqual([expect.stringMatching(/^build:/)]);
  expect([newer, CATALOGUE].map((one) => needs.every((need) => meetsNeedHere(one, need)))).toEqual([true, false]);
  expect(await needsElsewhere(newer, 'p412le')).toBeUndefined();
  expect(await needsElsewhere(CATALOGUE, 'unknown')).toBeUndefined();
});
