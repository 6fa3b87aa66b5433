import { expect, test } from 'vitest';
import type { WorkerDevice } from '../../packages/contract/src/domain/devices.ts';
import { mergeCatalogues } from '../../packages/ffmpeg/src/catalogue/merge-catalogues.ts';
import { encodeCatalogue } from '../../packages/ffmpeg/src/catalogue/serialized-catalogue.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { meetsNeedHere, openBuilds } from '../../packages/service/src/workers/builds.ts';
import type { WorkerRecord } from '../../packages/service/src/workers/ports/worker-store.ts';
import { CATALOGUE } from '../support/planning.ts';

const NVENC: WorkerDevice = { type: 'cuda', encoders: ['h264_nvenc'], sessions: 2 };

const worker = (workerId: string, devices?: readonly WorkerDevice[]): WorkerRecord => ({
  ...{ workerId, hostName: workerId, pid: 1, version: '0.1.0', ffmpegVersion: '5.1', buildKey: CATALOGUE.build.key },
  ...{ catalogueKey: 'c1', concurrency: 2, processors: 4, sandbox: 'none', state: 'running', freeScratchBytes: 1 },
  ...{ startedAt: '2026-11-20T10:00:00.000Z', lastSeenAt: '2026-11-20T10:00:00.000Z' },
  ...(devices && { devices }),
});

/** What a machine without ffmpeg knows of these workers, which all have the same build. */
async function buildsOf(workers: readonly WorkerRecord[], isStored = true) {
  const content = await encodeCatalogue(CATALOGUE);
  const store = {
    workers: {
      seenWithin: async () => workers,
      seenWithinEach: async (spans: readonly number[]) => spans.map(() => workers),
    },
    catalogues: { read: async () => (isStored ? content : undefined) },
  } as unknown as Pick<Store, 'workers' | 'catalogues' | 'tasks'>;
  return openBuilds({
    own: undefined,
    store,
    isShared: true,
    buildSeconds: 86_400,
  });
}

test('a build counts once for the workers without a device, and once for each set of devices', async () => {
  const both = [NVENC, { type: 'vaapi', encoders: ['h264_vaapi'], sessions: 1 } as const];
  const builds = await buildsOf([worker('a'), worker('b', [NVENC]), worker('c', [NVENC]), worker('d', both)]);
  const { recent: found } = await builds.find();
  expect(found.map(({ devices = [] }) => [...devices])).toEqual([
    [],
    ['cuda', 'h264_nvenc'],
    ['cuda', 'h264_nvenc', 'h264_vaapi', 'vaapi'],
  ]);
  expect((await builds.find()).recent[1], 'plans are cached for it').toBe(found[1]);
  expect(mergeCatalogues(found).devices, 'for capabilities').toEqual(
    new Set(['cuda', 'h264_nvenc', 'h264_vaapi', 'vaapi']),
  );
});

test('a need for a device is met only while a worker with it is live', async () => {
  const needs = ['device:cuda', 'device:h264_nvenc'];
  expect(await (await buildsOf([worker('a'), worker('b', [NVENC])])).isMet(needs)).toBe(true);
  expect(await (await buildsOf([worker('a')])).isMet(needs)).toBe(false);
  const isStored = false;
  const unknown = await buildsOf([worker('a')], isStored);
  expect(await unknown.isMet(needs), 'nobody knows the build, but it has no device').toBe(false);
  const drained = { ...worker('b', [NVENC]), drainRequestedAt: '2026-11-20T10:00:00.000Z' };
  expect(await (await buildsOf([worker('a'), drained])).isMet(needs)).toBe(false);
});

test('every worker meets the need of a long job, which only says who should take it', async () => {
  const builds = await buildsOf([worker('a')]);
  expect(await builds.isMet(['speed:x264'])).toBe(true);
  expect(await builds.isMet(['device:cuda', 'speed:x264'])).toBe(false);
  expect(meetsNeedHere(CATALOGUE, 'speed:x264')).toBe(true);
  expect(meetsNeedHere(CATALOGUE, 'device:cuda')).toBe(false);
});
