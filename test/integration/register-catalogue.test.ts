import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { planners } from '../../src/cli/compose/conversions.ts';
import type { Catalogue } from '../../src/ffmpeg/catalogue/catalogue.ts';
import { catalogueKeyOf, completeCatalogue, isComplete } from '../../src/ffmpeg/catalogue/complete-catalogue.ts';
import type { LiveCatalogue } from '../../src/ffmpeg/catalogue/live-catalogue.ts';
import { decodeCatalogue } from '../../src/ffmpeg/catalogue/registered-catalogue.ts';
import type { Store } from '../../src/store/store.ts';
import { askWorkers, factsTask } from '../../src/workers/fact-tasks.ts';
import { partialKeyOf, type WorkerDescription } from '../../src/workers/ports.ts';
import { registerCatalogue } from '../../src/workers/register-catalogue.ts';
import { registeredBuilds } from '../../src/workers/registered-builds.ts';
import { requestTask } from '../../src/workers/request-task.ts';
import { startTaskRunner } from '../../src/workers/task-runner.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { testFolder } from '../support/folders.ts';
import { learning } from '../support/learning-catalogue.ts';
import { mediaRoot } from '../support/media-root.ts';
import { factsFor, ON_THE_LOOP } from '../support/planning.ts';
import { freshCatalogue, recordedCatalogue } from '../support/recorded-catalogue.ts';

const KEY = catalogueKeyOf(freshCatalogue().build);
const { signal } = new AbortController();

const worker = (workerId: string, catalogueKey = KEY): WorkerDescription => ({
  ...{ workerId, hostName: 'encoder-1', pid: 1, version: '0.1.0', ffmpegVersion: '7.1' },
  ...{ buildKey: freshCatalogue().build.key, catalogueKey },
  ...{ concurrency: 1, processors: 1, sandbox: 'none' },
});

/** The catalogue of a build that prints its help, and nothing else. */
async function freshBuild(): Promise<Catalogue> {
  const fresh = freshCatalogue();
  const path = join(await testFolder('help'), 'ffmpeg');
  await writeFile(path, "#!/bin/sh\necho 'AVCodecContext AVOptions:'\n", { mode: 0o755 });
  return { ...fresh, build: { ...fresh.build, path } };
}

/** Throws instead of querying what a catalogue lacks. */
const untouched = (current: Catalogue): Pick<LiveCatalogue, 'current' | 'ensure'> => ({
  current,
  ensure: async () => {
    throw new Error('This worker queried its ffmpeg.');
  },
});

/** A worker on a store, which reports as a process does. */
function workerOn({ workers, catalogues }: Pick<Store, 'workers' | 'catalogues'>, workerId: string) {
  const report = (catalogueKey: string, state: 'running' | 'stopped' = 'running') =>
    workers.report(worker(workerId, catalogueKey), { state, freeScratchBytes: 0 });
  return {
    report,
    register: (live: Pick<LiveCatalogue, 'current' | 'ensure'>) =>
      registerCatalogue({ workers, catalogues }, worker(workerId), live, { changeCatalogue: report }, signal),
  };
}

test('of several workers with one build, only the first queries it, and the next one if the first stops', async () => {
  const { store } = await sqlite.open();
  const [w1, w2] = [workerOn(store, 'w1'), workerOn(store, 'w2')];
  const live = untouched(await freshBuild());
  await w1.report(KEY);
  await w2.report(KEY);
  expect(await w2.register(live)).toBe(false);
  await expect(w1.register(live)).rejects.toThrow('This worker queried its ffmpeg.');
  await w1.report(KEY, 'stopped');
  await expect(w2.register(live)).rejects.toThrow('This worker queried its ffmpeg.');
  await store.catalogues.add(KEY, Uint8Array.from([1]));
  expect(await w2.register(live)).toBe(true);
  const seen = new Map((await store.workers.seenWithin(60)).map((one) => [one.workerId, one.catalogueKey]));
  expect(seen.get('w2'), 'what another one stored').toBe(KEY);
});

test('a worker whose catalogue is stored completely queries nothing', async () => {
  const { store } = await sqlite.open();
  const w1 = workerOn(store, 'w1');
  await w1.report(KEY);
  await store.catalogues.add(KEY, Uint8Array.from([1]));
  expect(await w1.register(untouched(freshCatalogue()))).toBe(true);
  expect(await store.catalogues.has(partialKeyOf(KEY))).toBe(false);
});

test('a worker whose catalogue is complete does not wait for one that queries its own', async () => {
  const { store } = await sqlite.open();
  const [w1, w2] = [workerOn(store, 'w1'), workerOn(store, 'w2')];
  await w1.report(KEY);
  await w2.report(KEY);
  const { live } = learning(await freshBuild());
  const current = await completeCatalogue(live, signal);
  expect(await w2.register(untouched(current))).toBe(true);
  const stored = await decodeCatalogue((await store.catalogues.read(KEY)) ?? new Uint8Array());
  expect(stored?.current.components).toEqual(current.components);
});

const REQUEST = { input: 'a.mp4', output: 'b.mkv', parameters: { 'c:v': 'libx264', crf: '20' } };
const CONTEXT = { clientId: 'amy', root: mediaRoot('/'), policy: {} };

/** A worker that answers what its ffmpeg offers, with recorded answers, but never completes its catalogue by itself. */
async function freshWorker(store: Store) {
  const build = await freshBuild();
  const recorded = recordedCatalogue('7.1');
  let current = build;
  const asked: string[] = [];
  const live: Pick<LiveCatalogue, 'current' | 'ensure'> = {
    get current() {
      return current;
    },
    ensure: async (findMissing, how) => {
      if (how?.inBackground === true) throw new Error('The worker is not done yet.');
      for (let missing = findMissing(current); missing !== undefined; missing = findMissing(current)) {
        asked.push(...missing.options, ...missing.components.map(({ kind, name }) => `${kind}=${name}`));
        const cli = new Map(current.cli);
        for (const name of missing.options) cli.set(name, recorded.cli.get(name) ?? { argument: true, place: 'both' });
        const components = new Map(current.components);
        for (const { kind, name } of missing.components)
          components.set(`${kind}=${name}`, recorded.components.get(`${kind}=${name}`) ?? { text: '' });
        current = { ...current, cli, components };
      }
      return current;
    },
  };
  const registered = workerOn(store, 'w1');
  await registered.report(KEY);
  await expect(registered.register(live)).rejects.toThrow('The worker is not done yet.');
  const answers = (): void => {
    const tasks = startTaskRunner({
      tasks: store.tasks,
      workerId: 'w1',
      kinds: [factsTask(live)],
      onInternalError: (error) => {
        throw error;
      },
    });
    onTestFinished(() => tasks.drain());
  };
  return { ...registered, live, asked, answers };
}

/** The builds that a service without ffmpeg knows. */
const knownBuilds = (store: Store) =>
  registeredBuilds(store.workers, store.catalogues, 86_400, askWorkers(store, signal));

test('a service asks a worker whose catalogue is partial for what a request needs, once, and plans as the worker does', async () => {
  const { store } = await sqlite.open();
  const { live, asked, answers } = await freshWorker(store);
  expect(factsFor(REQUEST)(live.current), 'known without a question').toBeDefined();
  answers();
  const builds = knownBuilds(store);
  const { planner, submissionPlanner } = planners(() => builds.list(), ON_THE_LOOP);
  const both = await Promise.all([submissionPlanner(REQUEST, CONTEXT), submissionPlanner(REQUEST, CONTEXT)]);
  expect(both).toMatchObject([{ ok: true }, { ok: true }]);
  expect(new Set(asked).size, 'asked once').toBe(asked.length);
  expect(asked).toContain('encoder=libx264');
  const ofWorker = planners(async () => ({ recent: [live as never], away: [] }), ON_THE_LOOP);
  expect(await planner(REQUEST, CONTEXT)).toEqual(await ofWorker.planner(REQUEST, CONTEXT));
  const wrong = { ...REQUEST, parameters: { 'c:v': 'libx264', crf: 'high' } };
  expect(await submissionPlanner(wrong, CONTEXT)).toMatchObject({ ok: false });
  expect(isComplete(live.current)).toBe(false);
});

test('a request that needs what nobody answers is not accepted, but answered 503', async () => {
  const { store } = await sqlite.open();
  await freshWorker(store);
  const { store: others } = await sqlite.open();
  const builds = registeredBuilds(store.workers, store.catalogues, 86_400, askWorkers(others, signal));
  const { submissionPlanner } = planners(() => builds.list(), ON_THE_LOOP);
  await expect(submissionPlanner(REQUEST, CONTEXT)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 5,
  });
});

test('a worker answers only what requests may use', async () => {
  const { store } = await sqlite.open();
  const { asked, answers } = await freshWorker(store);
  answers();
  const ask = (request: unknown) =>
    requestTask(store.tasks, { kind: `facts:${KEY}`, clientId: 'amy', request }, { seconds: 15, signal });
  for (const request of [
    { options: ['crf', 'report'], components: [] },
    { options: [], components: [{ kind: 'encoder', name: '../libx264' }] },
    { options: [], components: [{ kind: 'filter', name: 'movie' }] },
    { options: [], components: [{ kind: 'protocol', name: 'file' }] },
    { options: Array.from({ length: 17 }, () => 'r'), components: [] },
    'libx264',
  ])
    await expect(ask(request), JSON.stringify(request)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(asked).toEqual([]);
  expect(await ask({ options: ['r'], components: [{ kind: 'encoder', name: 'libx264' }] })).toMatchObject({
    options: [['r', { argument: true }]],
    components: [['encoder=libx264', expect.stringContaining('crf')]],
  });
});

test('the complete catalogue takes the place of the partial one, which is removed', async () => {
  const { store } = await sqlite.open();
  const { register } = await freshWorker(store);
  expect((await knownBuilds(store).list()).recent.map(({ current }) => isComplete(current))).toEqual([false]);
  const { live } = learning(await freshBuild());
  expect(await register(live)).toBe(true);
  await store.workers.removeUnseen(60, 60);
  expect(await store.catalogues.has(partialKeyOf(KEY))).toBe(false);
  expect(await store.catalogues.has(KEY)).toBe(true);
  expect((await knownBuilds(store).list()).recent.map(({ current }) => isComplete(current))).toEqual([true]);
});

test('while one worker with a build has a partial catalogue, the complete one of another is used', async () => {
  const { store } = await sqlite.open();
  await freshWorker(store);
  const w2 = workerOn(store, 'w2');
  await w2.report(KEY);
  const { live } = learning(await freshBuild());
  await w2.register(untouched(await completeCatalogue(live, signal)));
  expect((await knownBuilds(store).list()).recent.map(({ current }) => isComplete(current))).toEqual([true]);
});
