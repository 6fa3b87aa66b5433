import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BuildUnavailable } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { type Catalogue, stillMissing } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import {
  catalogueKeyOf,
  completeCatalogue,
  isComplete,
} from '../../packages/ffmpeg/src/catalogue/complete-catalogue.ts';
import { type LiveCatalogue, openCatalogue } from '../../packages/ffmpeg/src/catalogue/live-catalogue.ts';
import {
  type CatalogueSource,
  decodeCatalogue,
  encodeCatalogue,
} from '../../packages/ffmpeg/src/catalogue/registered-catalogue.ts';
import { planners } from '../../packages/service/src/jobs/ffmpeg/conversions.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { factsTask, requestFacts } from '../../packages/service/src/workers/fact-tasks.ts';
import {
  LIVE_SECONDS,
  partialKeyOf,
  type WorkerDescription,
  type WorkerRecord,
  type WorkerState,
} from '../../packages/service/src/workers/ports/worker-store.ts';
import { registerCatalogue } from '../../packages/service/src/workers/register-catalogue.ts';
import { registeredBuilds } from '../../packages/service/src/workers/registered-builds.ts';
import { requestTask } from '../../packages/service/src/workers/request-task.ts';
import { startTaskRunner } from '../../packages/service/src/workers/task-runner.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { testFolder } from '../support/folders.ts';
import { learning } from '../support/learning-catalogue.ts';
import { mediaRoot } from '../support/media-root.ts';
import { factsFor, ON_THE_LOOP } from '../support/planning.ts';
import { freshCatalogue, recordedCatalogue } from '../support/recorded-catalogue.ts';
import { waitUntil } from '../support/wait.ts';

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
  const report = async (catalogueKey: string, state: WorkerState = 'running'): Promise<void> => {
    await workers.report(worker(workerId, catalogueKey), { state, freeScratchBytes: 0 });
  };
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
  const answers = (by: Pick<LiveCatalogue, 'current' | 'ensure'> = live): void => {
    const tasks = startTaskRunner({
      tasks: store.tasks,
      workerId: 'w1',
      kinds: [factsTask(by)],
      mayTake: async () => true,
      onInternalError: (error) => {
        throw error;
      },
    });
    onTestFinished(() => tasks.drain());
  };
  return { ...registered, live, asked, answers };
}

/** A store on which a task must not be left to workers. */
const withoutTasks = (store: Store): Store => ({
  ...store,
  tasks: {
    ...store.tasks,
    add: async () => {
      throw new Error('A task was left to a worker that takes none.');
    },
  },
});

/** The builds that a service without ffmpeg knows. */
const knownBuilds = (store: Store) =>
  registeredBuilds(store.workers, store.catalogues, 86_400, requestFacts(store, signal));

test('a service asks a worker whose catalogue is partial for what a request needs, once, and plans as the worker does', async () => {
  const { store } = await sqlite.open();
  const { live, asked, answers } = await freshWorker(store);
  expect(factsFor(REQUEST)(live.current), 'known without a task').toBeDefined();
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
  const builds = registeredBuilds(store.workers, store.catalogues, 86_400, requestFacts(others, signal));
  const { submissionPlanner } = planners(() => builds.list(), ON_THE_LOOP);
  await expect(submissionPlanner(REQUEST, CONTEXT)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 5,
  });
});

test('a service does not wait for a worker that is stopping, nor when it stops itself', async () => {
  const { store } = await sqlite.open();
  const { report } = await freshWorker(store);
  const stopping = new AbortController();
  const submit = (tasksOf: Store) => {
    const request = requestFacts(tasksOf, stopping.signal);
    const builds = registeredBuilds(store.workers, store.catalogues, 86_400, request);
    return planners(() => builds.list(), ON_THE_LOOP).submissionPlanner(REQUEST, CONTEXT);
  };
  const waiting = submit(store);
  await waitUntil('the task', async () => (await store.tasks.openKinds([`facts:${KEY}`])).length > 0 || undefined);
  stopping.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  await report(partialKeyOf(KEY), 'draining');
  await expect(submit(withoutTasks(store))).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
});

test('a worker whose ffmpeg hangs answers what it knows before the service gives up, also after it took over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const live = { current: recordedCatalogue('7.1'), ensure: () => new Promise<never>(() => {}) };
  const { run, perClient, slots } = factsTask(live);
  const libx264 = { kind: 'encoder', name: 'libx264' } as const;
  let [leaseMs, waitMs] = [0, 0];
  const tasks = { openKinds: async (kinds: readonly string[]) => kinds, removeExpired: async () => {} };
  const take = async (_kind: string, _workerId: string, seconds: number) => {
    leaseMs = seconds * 1000;
    return undefined;
  };
  const runner = startTaskRunner({
    tasks: { ...tasks, take, renew: async () => true, finish: async () => {} },
    ...{
      workerId: 'w2',
      kinds: [factsTask(live)],
      isAwaited: true,
      mayTake: async () => true,
      onInternalError: () => {},
    },
  });
  await vi.advanceTimersByTimeAsync(1000);
  await runner.drain();
  const seenWithin = async () => [{ ...worker('w1', partialKeyOf(KEY)), state: 'running' } as WorkerRecord];
  const add = async (_task: unknown, seconds: number) => {
    waitMs = seconds * 1000;
  };
  const aborted = AbortSignal.abort();
  const taskStore = { add, remove: async () => {} } as unknown as Store['tasks'];
  await requestFacts({ workers: { seenWithin }, tasks: taskStore }, aborted)(freshCatalogue().build, {
    options: [],
    components: [libx264],
  });
  const result = run('service', { options: [], components: [libx264] }, signal);
  await vi.advanceTimersByTimeAsync(waitMs - leaseMs - 1500);
  expect(await Promise.race([result, new Promise(setImmediate)]), 'in time').toMatchObject({
    components: [['encoder=libx264', expect.stringContaining('crf')]],
    faults: [],
  });
  expect(perClient, 'another service gets its turn').toBeLessThan(slots);
});

test('a worker says of each fact why ffmpeg did not answer', async () => {
  const { store } = await sqlite.open();
  const fresh = await freshWorker(store);
  const fault = new BuildUnavailable(fresh.live.current.build, { what: 'did not answer', fix: 'Send another' }, 60);
  const ensure: LiveCatalogue['ensure'] = (findMissing, how) =>
    findMissing(fresh.live.current)?.options[0] === 'vsync'
      ? Promise.reject(fault)
      : fresh.live.ensure(findMissing, how);
  fresh.answers({ current: fresh.live.current, ensure });
  const result = await requestFacts(store, signal)(freshCatalogue().build, {
    options: ['vsync', 'bsf'],
    components: [],
  });
  expect([...result.faults]).toEqual([
    [
      'option vsync',
      expect.objectContaining({
        message: `The ffmpeg ${freshCatalogue().build.version} of a worker did not answer. Send another, or retry in 60 s.`,
      }),
    ],
  ]);
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

test('while a build has a partial catalogue and a complete one of another version, requests that this one runs take no task', async () => {
  const { store } = await sqlite.open();
  await workerOn(store, 'w0').report('key-of-an-older-version');
  const { live } = learning(await freshBuild());
  const content = await encodeCatalogue(await completeCatalogue(live, signal), '');
  await store.catalogues.add('key-of-an-older-version', content);
  const areComplete = (found: readonly CatalogueSource[]) => found.map(({ current }) => isComplete(current));
  expect(areComplete((await knownBuilds(store).list()).recent)).toEqual([true]);
  await freshWorker(store);
  const both = registeredBuilds(store.workers, store.catalogues, 86_400, requestFacts(withoutTasks(store), signal));
  expect(areComplete((await both.list()).recent)).toEqual([true, false]);
  const { submissionPlanner } = planners(() => both.list(), ON_THE_LOOP);
  expect(await submissionPlanner(REQUEST, CONTEXT)).toMatchObject({ ok: true, plan: { requirements: { needs: [] } } });
});

test('a fresh worker that crashed leaves no partial catalogue beside a complete one of another version', async () => {
  const { store } = await sqlite.open();
  await workerOn(store, 'w0').report('key-of-an-older-version');
  const { live } = learning(await freshBuild());
  const content = await encodeCatalogue(await completeCatalogue(live, signal), '');
  await store.catalogues.add('key-of-an-older-version', content);
  await freshWorker(store);
  const seenWithinEach: typeof store.workers.seenWithinEach = async (spans) => {
    const lists = await store.workers.seenWithinEach(spans);
    const isOlder = ({ workerId }: WorkerRecord) => workerId === 'w0';
    return lists.map((list, at) => ((spans[at] ?? 0) <= LIVE_SECONDS ? list.filter(isOlder) : list)) as never;
  };
  const builds = registeredBuilds({ seenWithinEach }, store.catalogues, 86_400, requestFacts(store, signal));
  expect((await builds.list()).recent.map(({ current }) => isComplete(current))).toEqual([true]);
});

test('a catalogue that is removed before its worker reports it is stored again', async () => {
  const { store } = await sqlite.open();
  const report = workerOn(store, 'w1').report;
  await report(KEY);
  const changeCatalogue = async (key: string): Promise<void> => {
    await store.workers.removeUnseen(60, 60);
    await report(key);
  };
  const live = untouched(await freshBuild());
  const registered = registerCatalogue(store, worker('w1'), live, { changeCatalogue }, signal);
  await expect(registered).rejects.toThrow('This worker queried its ffmpeg.');
  expect(await store.catalogues.has(partialKeyOf(KEY))).toBe(true);
});

/** A build that answers that it has no option, after a while, and behaves otherwise in the background. */
async function otherwiseInBackground(background: string) {
  const folder = await testFolder('background');
  const path = join(folder, 'ffmpeg');
  const lines = ['#!/bin/sh', 'sleep 0.3', `[ "$(nice)" = 19 ] && ${background}`, 'echo "Unrecognized option" >&2'];
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o755 });
  const fresh = freshCatalogue();
  const faults: unknown[] = [];
  const live = await openCatalogue({ ...fresh.build, path }, undefined, (fault) => faults.push(fault), {
    ...fresh,
    build: { ...fresh.build, path },
  });
  return { live, faults, folder };
}

test('a query in the background that fails rejects no request for the same fact', async () => {
  const { live, faults } = await otherwiseInBackground('exit 1');
  const missing = { options: ['vsync'], components: [] };
  const ensure = (inBackground: boolean) => live.ensure((known) => stillMissing(known, missing), { inBackground });
  await expect(ensure(true)).rejects.toThrow(BuildUnavailable);
  expect((await ensure(false)).cli.get('vsync')).toEqual({ argument: false, place: 'nowhere' });
  expect(faults).toHaveLength(1);
});

test('what the background finds is added in steps, or once it is needed, so that plans stay in the cache', async () => {
  const { live } = await otherwiseInBackground('echo "Trailing option" >&2 && exit 0');
  const before = live.current;
  const missing = { options: ['vsync'], components: [] };
  const ensure = (inBackground: boolean) => live.ensure((known) => stillMissing(known, missing), { inBackground });
  const answered = { argument: false, place: 'both' };
  expect((await ensure(true)).cli.get('vsync')).toEqual(answered);
  expect(live.current).toBe(before);
  expect(await live.option('vsync'), 'not asked again').toEqual(answered);
  expect(live.current.cli.get('vsync')).toEqual(answered);
});

test('a worker that stops ends the queries in the background, and reports no fault of ffmpeg', async () => {
  const { live, faults, folder } = await otherwiseInBackground('echo > "$(dirname "$0")/hangs" && exec sleep 600');
  const stop = new AbortController();
  const completing = completeCatalogue(live, stop.signal, { inBackground: true });
  await waitUntil('the query', async () => existsSync(join(folder, 'hangs')) || undefined);
  stop.abort(new Error('the worker stops'));
  await expect(completing).rejects.toThrow('the worker stops');
  expect(faults).toEqual([]);
});
