import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ClientLimits, quotaExceeded } from '../../packages/contract/src/domain/client-limits.ts';
import { AttemptDeferred, type Failure, JobFailed, StorageDown } from '../../packages/contract/src/domain/failure.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { StoreUnavailable } from '../../packages/contract/src/domain/store-errors.ts';
import type { Claim } from '../../packages/service/src/jobs/ports/job-store.ts';
import type { MediaStore, PublishIntent } from '../../packages/service/src/jobs/ports/media-store.ts';
import { runAttempt } from '../../packages/service/src/jobs/run/attempt.ts';
import type { AttemptDeps } from '../../packages/service/src/jobs/run/attempt-state.ts';
import { decideOutcome } from '../../packages/service/src/jobs/run/decide-outcome.ts';
import { createSpaceWatch } from '../../packages/service/src/jobs/run/space-watch.ts';
import { type LocalUnderTest, openLocal } from '../fixtures/local-media.ts';
import { input, output, writeOutputs } from '../fixtures/media-plans.ts';
import { draftOf, faultyDraft } from '../support/planned-drafts.ts';
import { WITHOUT_BIN } from '../support/uncounted-files.ts';

const RESERVE = 100_000;

const SLOT = { take: async () => {}, waitForTurn: async () => {}, release: () => {} };

let t: LocalUnderTest;
beforeEach(async () => {
  t = await openLocal();
  await t.put('in.mp4', 'film');
});
afterEach(() => t.close());

const plan: Plan = {
  inputs: [input('in.mp4')],
  outputs: [{ ...output('o.mp4'), span: { inputs: [], output: {}, shortest: false }, encoders: {} }],
  passes: [],
  warnings: [],
};

const claimOf = (fence: number, more: Partial<Claim> = {}): Claim => ({
  job: {
    jobId: 'job',
    clientId: 'amy',
    status: 'PROCESSING',
    request: { input: 'in.mp4', output: 'o.mp4' },
    attempt: fence,
    createdAt: '2026-11-20T10:00:00.000Z',
  },
  fence,
  exhausted: false,
  ...more,
});

/** How the store and the planner answer a worker. By default, its claim stays valid, and the plan is `plan`. */
interface StoreStub {
  readonly onRecorded?: (intent: PublishIntent) => Promise<void>;
  readonly hasClaim?: () => boolean;
  readonly planner?: AttemptDeps['planner'];
  /** Seconds of media that other jobs of the client used. */
  readonly usedByOthers?: number;
  readonly signal?: AbortSignal | undefined;
  /** Why the machine is not ready now. */
  readonly machineFailure?: () => Failure | undefined;
}

/** One attempt on a real disk. `written` stands in for what ffmpeg writes. */
function tryOn(
  media: MediaStore,
  claim: Claim,
  written: string,
  convertAs?: AttemptDeps['convert'],
  policy: ClientLimits = {},
  {
    onRecorded = async () => {},
    hasClaim = () => true,
    planner = async () => draftOf(plan),
    usedByOthers = 0,
    signal = new AbortController().signal,
    machineFailure = () => undefined,
  }: StoreStub = {},
) {
  const intents: PublishIntent[] = [];
  const settled: string[] = [];
  const faults: { readonly jobId: string; readonly error: unknown }[] = [];
  const deps: AttemptDeps = {
    jobs: {
      recordIntent: async (_claim, intent) => {
        if (!hasClaim()) return false;
        intents.push(intent);
        await onRecorded(intent);
        return true;
      },
    },
    usage: { leftFor: async (_job, limit) => Math.max(0, limit - usedByOthers) },
    stored: { settle: async (_clientId, id, bytes) => void settled.push(`${id} ${bytes}`) },
    withRoom: WITHOUT_BIN,
    media,
    planner,
    needsElsewhere: async () => undefined,
    convert:
      convertAs ??
      (async ({ scratch }) => {
        await writeOutputs(t.media, scratch, { 'o.mp4': written });
        return { ok: true, outputs: [{}], log: '', warnings: [] };
      }),
    clientContextOf: async (clientId) => ({ clientId, root: t.root, policy }),
    minFreeBytes: RESERVE,
    machineFailure: async () => machineFailure(),
    space: createSpaceWatch(media, RESERVE),
    failpoint: () => undefined,
    onInternalError: (jobId, error) => faults.push({ jobId, error }),
  };
  const heartbeat = {
    setPhase: () => undefined,
    setProgress: () => undefined,
    phase: () => 'STAGING' as const,
    phases: () => [],
    timings: () => ({ phaseSeconds: {} }),
    stop: async () => undefined,
  };
  return { result: runAttempt(deps, claim, signal, heartbeat, SLOT), intents, settled, faults };
}

/** A claim of a job that needs a device, with a fallback. */
const onDevice = (more: object = {}): Claim => {
  const claim = claimOf(1);
  const request = {
    ...claim.job.request,
    parameters: { 'c:v': 'h264_nvenc' },
    fallback: { 'c:v': 'libx264' },
    ...more,
  };
  return { ...claim, job: { ...claim.job, request } };
};

/** Runs a job whose plan needs a device for `h264_nvenc`, on a device that always fails with this code. */
function tryWithDevice(claim: Claim, code: 'DEVICE_FAILED' | 'TIMEOUT', hasDevice = true) {
  const runs: string[] = [];
  const { result } = tryOn(
    t.media,
    claim,
    '',
    async ({ plan: planned, scratch }) => {
      runs.push(planned.devices === undefined ? 'processor' : 'device');
      await writeOutputs(t.media, scratch, { 'o.mp4': 'new' });
      if (planned.devices === undefined) return { ok: true, outputs: [{}], log: '', warnings: [] };
      return { ok: false, failure: { code, message: 'The hardware device failed.' }, log: '', raw: '' };
    },
    {},
    {
      planner: async ({ parameters }) => {
        if (parameters?.['c:v'] !== 'h264_nvenc') return draftOf(plan);
        if (hasDevice) return draftOf({ ...plan, devices: ['cuda', 'h264_nvenc'] });
        return faultyDraft([{ field: '', code: 'NEEDS_DEVICE', message: 'It needs a device.' }]);
      },
    },
  );
  return { result, runs };
}

test('a job whose device fails runs by its fallback in the same attempt, with a warning', async () => {
  const { result, runs } = tryWithDevice(onDevice({ strict: true }), 'DEVICE_FAILED');
  expect(await result).toMatchObject({
    kind: 'completed',
    warnings: [
      {
        field: '/fallback',
        code: 'DEVICE_FALLBACK',
        message: 'The hardware device failed. So "fallback" replaced "parameters".',
      },
    ],
  });
  expect(runs).toEqual(['device', 'processor']);
  expect(await t.get('o.mp4')).toBe('new');
});

test('a job without a fallback fails with its device', async () => {
  const alone = onDevice({ fallback: undefined });
  expect(await tryWithDevice(alone, 'DEVICE_FAILED').result).toMatchObject({ failure: { code: 'DEVICE_FAILED' } });
});

test('a job whose time is over does not begin again', async () => {
  const late = tryWithDevice(onDevice(), 'TIMEOUT');
  expect(await late.result).toMatchObject({ failure: { code: 'TIMEOUT' } });
  expect(late.runs).toEqual(['device']);
});

test('a job whose device is gone from all workers runs by its fallback', async () => {
  const { result, runs } = tryWithDevice(onDevice(), 'DEVICE_FAILED', false);
  expect(await result).toMatchObject({
    kind: 'completed',
    warnings: [{ message: expect.stringContaining('It needs') }],
  });
  expect(runs).toEqual(['processor']);
});

/** A store whose disk fails right after the output has appeared. */
const failing = () =>
  t.restart({
    failpoint: (point) => {
      if (point === 'linked') throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    },
  });

test('unpublishes outputs that were published only in part before it reports the failure', async () => {
  const { result, settled } = tryOn(await failing(), claimOf(1), 'new');
  expect(await result).toMatchObject({ kind: 'failed', failure: { code: 'STORAGE_FAULT' } });
  expect(await t.get('o.mp4')).toBeUndefined();
  expect(settled, 'nothing counts').toEqual(['job.1 0']);
});

test('counts outputs once they have appeared, also for a worker that crashed, and none that were unpublished', async () => {
  const { result, intents, settled } = tryOn(t.media, claimOf(1), 'new');
  await result;
  expect(settled).toEqual(['job.1 3']);
  const [intent] = intents;
  if (intent === undefined) throw new Error('The intent was not stored.');
  const second = tryOn(t.media, claimOf(2, { intent }), 'other');
  await second.result;
  expect(second.settled).toEqual(['job.1 3']);
  const third = tryOn(t.media, claimOf(3, { intent: { ...intent, abandoned: true } }), 'other');
  await third.result;
  expect(third.settled).toEqual(['job.1 0', 'job.3 5']);
});

test('reports a fault in what explains the result to the operator, and completes the job', async () => {
  const fault = new Error('planted');
  const { result, faults } = tryOn(t.media, claimOf(1), '', async ({ scratch, onFault }) => {
    await writeOutputs(t.media, scratch, { 'o.mp4': 'new' });
    onFault(fault);
    return { ok: true, outputs: [{}], log: '', warnings: [] };
  });
  expect(await result).toMatchObject({ kind: 'completed' });
  expect(faults).toEqual([{ jobId: 'job', error: fault }]);
});

test('a worker that was paused while another one completed its job deletes no output', async () => {
  const many: AttemptDeps['convert'] = async ({ scratch }) => {
    await writeOutputs(t.media, scratch, { 'o.mp4': 'new', 'o1.ts': 'one' });
    return { ok: true, outputs: [{}], log: '', warnings: [] };
  };
  const other = await t.restart();
  let [completed, published] = [false, undefined as PublishIntent | undefined];
  const store: StoreStub = {
    onRecorded: async (intent) => {
      expect(await other.publish(intent)).toBe(true);
      await other.discard({ name: intent.scratch });
      await other.removeOutputs(t.root, intent.outputs.slice(1));
      [completed, published] = [true, intent];
    },
    hasClaim: () => !completed,
  };
  expect(await tryOn(t.media, claimOf(1), '', many, {}, store).result).toMatchObject({
    kind: 'stopped',
    cause: 'lost',
  });
  expect(await t.get('o.mp4')).toBe('new');
  if (published === undefined) throw new Error('The intent was not stored.');
  const late = tryOn(t.media, claimOf(2, { intent: published }), '', many, {}, store);
  expect(await late.result).toMatchObject({ kind: 'stopped', cause: 'lost' });
  expect(await t.get('o.mp4')).toBe('new');
});

test('a worker that was paused before it unpublishes deletes no output of the worker that took over', async () => {
  const media = await failing();
  let second: ReturnType<typeof tryOn> | undefined;
  const pausing: MediaStore = {
    ...media,
    // The pause is longer than the lease: another worker claims the job, with the intent as it is stored.
    unpublish: async (intent) => {
      const stored = first.intents.at(-1);
      if (stored === undefined) throw new Error('The intent was not stored.');
      second = tryOn(await t.restart(), claimOf(2, { intent: stored }), 'second');
      expect(await second.result).toMatchObject({ kind: 'completed' });
      await media.unpublish(intent);
    },
  };
  const first = tryOn(pausing, claimOf(1), 'first');
  await first.result;
  expect(second).toBeDefined();
  expect(await t.get('o.mp4')).toBe('second');
});

test('an outage before the intent is stored delays the job, and does not fail it', async () => {
  let outages = 0;
  const store: StoreStub = {
    onRecorded: async () => {
      outages += 1;
      if (outages === 1) throw new StoreUnavailable();
    },
  };
  const { result, intents } = tryOn(t.media, claimOf(1), 'new', undefined, {}, store);
  expect(await result).toMatchObject({ kind: 'completed' });
  expect(intents).toHaveLength(2);
  expect(await t.get('o.mp4')).toBe('new');
});

test('an error after which the intent may be stored ends the attempt with nothing published or counted', async () => {
  const fault = new Error('planted');
  const store: StoreStub = {
    onRecorded: async ({ abandoned }) => {
      if (abandoned !== true) throw fault;
    },
  };
  const { result, intents, settled } = tryOn(t.media, claimOf(1), 'new', undefined, {}, store);
  await expect(result).rejects.toBe(fault);
  expect(intents.at(-1)).toMatchObject({ abandoned: true });
  expect(settled).toEqual(['job.1 0']);
  expect(await t.get('o.mp4')).toBeUndefined();
});

test('an outage of the storage while outputs are unpublished delays the attempt, and costs no other', async () => {
  let outages = 0;
  const media = await failing();
  const unreachable: MediaStore = {
    ...media,
    unpublish: async (intent) => {
      outages += 1;
      if (outages === 1) throw new JobFailed({ code: 'STORAGE_FAULT', message: 'unreachable' });
      await media.unpublish(intent);
    },
  };
  expect(await tryOn(unreachable, claimOf(1), 'new').result).toMatchObject({
    kind: 'failed',
    failure: { code: 'STORAGE_FAULT', message: expect.not.stringContaining('unreachable') },
  });
  expect(outages).toBe(2);
  expect(await t.get('o.mp4')).toBeUndefined();
});

test('keeps the files of outputs that cannot be unpublished, so that the next attempt finds and unpublishes them', async () => {
  const fault = new JobFailed({ code: 'STORAGE_FAULT', message: 'read-only' }, undefined, true);
  const media = {
    ...(await failing()),
    publish: async (intent: PublishIntent) => {
      await t.media.publish(intent);
      throw fault;
    },
    unpublish: () => Promise.reject(fault),
  };
  const { result, intents } = tryOn(media, claimOf(1), 'new');
  await expect(result).rejects.toBe(fault);
  expect(await readdir(join(t.mediaRoot, '.telecine/jobs/job.1/out'))).toEqual(['o.mp4']);
  const intent = intents.at(-1);
  if (intent === undefined) throw new Error('The intent was not stored.');
  expect(await tryOn(t.media, claimOf(2, { intent }), 'other').result).toMatchObject({ kind: 'completed' });
  expect(await t.get('o.mp4')).toBe('other');

  const last = tryOn(media, claimOf(3, { intent, exhausted: true }), 'other');
  expect(await last.result).toMatchObject({ kind: 'failed', failure: fault.failure });
});

test('does not retry a conversion that ran out of space by writing more than the reserve', async () => {
  const fails =
    (bytes: number): AttemptDeps['convert'] =>
    async ({ scratch }) => {
      await writeOutputs(t.media, scratch, { 'o.mp4': 'x'.repeat(bytes) });
      lost = bytes + foreign;
      return { ok: false, failure: { code: 'NO_SPACE', message: 'full' }, log: '' };
    };
  let [lost, foreign] = [0, 0];
  const media = { ...t.media, freeBytes: async () => 1_000_000 - lost };
  expect(await tryOn(media, claimOf(1), '', fails(10_000)).result).toMatchObject({ nonRetryable: false });
  lost = 0;
  expect(await tryOn(media, claimOf(2), '', fails(200_000)).result).toMatchObject({
    nonRetryable: true,
    failure: { code: 'NO_SPACE', fix: expect.stringContaining('length') },
  });
  // Other programs used most of the lost space.
  [lost, foreign] = [0, 500_000];
  expect(await tryOn(media, claimOf(3), '', fails(200_000)).result).toMatchObject({ nonRetryable: false });
});

test('does not count an attempt whose inputs other jobs leave no room, or whose storage is down', async () => {
  const noRoom = { code: 'NO_SPACE', message: 'full' } as const;
  const failing = (attempt: number, error: JobFailed) => {
    const media = { ...t.media, stage: async () => Promise.reject(error) };
    return tryOn(media, claimOf(attempt), '').result;
  };
  expect(await failing(1, new AttemptDeferred(noRoom))).toMatchObject({
    failure: noRoom,
    kind: 'outage',
    counts: false,
  });
  expect(await failing(2, new JobFailed(noRoom))).toMatchObject({ failure: noRoom, kind: 'failed' });
  const down = { code: 'STORAGE_FAULT', message: 'SlowDown' } as const;
  expect(await failing(3, new StorageDown(down))).toMatchObject({ failure: down, kind: 'outage' });
});

test('does not count an attempt that fails before it converts on a machine that is not ready', async () => {
  const unready = { code: 'NO_WORKER', message: 'The clock is wrong.' } as const;
  const stub = { machineFailure: () => unready };
  const inputGone = {
    ...t.media,
    stage: async () => Promise.reject(new JobFailed({ code: 'INPUT_NOT_FOUND', message: '' })),
  };
  const onUnready = (media: MediaStore, claim: Claim, convert?: AttemptDeps['convert']) =>
    tryOn(media, claim, '', convert, {}, stub).result;
  expect(await onUnready(inputGone, claimOf(1))).toMatchObject({ kind: 'outage', counts: false, failure: unready });
  const cancelled = { ...claimOf(2), job: { ...claimOf(2).job, cancelRequestedAt: '2026-11-20T10:00:00.000Z' } };
  expect(await onUnready(t.media, cancelled)).toMatchObject({ kind: 'failed', failure: { code: 'CANCELLED' } });
  const fails: AttemptDeps['convert'] = async () => ({
    ok: false,
    failure: { code: 'FFMPEG_FAILED', message: '' },
    log: '',
  });
  expect(await onUnready(t.media, claimOf(3), fails)).toMatchObject({ kind: 'failed' });
});

test('does not count an attempt that did not start because the disk is nearly full', async () => {
  const full = { ...t.media, freeBytes: async () => RESERVE - 1 };
  expect(await tryOn(full, claimOf(1), '').result).toMatchObject({ kind: 'outage', failure: { code: 'NO_SPACE' } });
});

test('does not count an attempt that an outage of the database ends, and blames no storage', async () => {
  const media = { ...t.media, stage: async () => Promise.reject(new StoreUnavailable()) };
  const result = await tryOn(media, claimOf(1), '').result;
  expect(result).toMatchObject({ kind: 'stopped', cause: 'database outage' });
  const facts = { draining: false, now: new Date(), storageWaitSeconds: 60 };
  expect(decideOutcome(claimOf(1), result, facts)).toEqual({ keepAttempt: false, delaySeconds: 0 });
});

describe('a job that has met a storage that is down', () => {
  const down = new StorageDown({ code: 'STORAGE_FAULT', message: 'SlowDown' });
  const met = { storageDownSince: '2026-11-20T10:00:00.000Z' };
  const fail = async () => Promise.reject(down);
  /** An attempt, and how often it tried to write and converted. */
  const tryIt = async (claim: Claim, more: Partial<MediaStore>, signal?: AbortSignal) => {
    const counts = { tries: 0, conversions: 0 };
    const tryToWrite = async () => {
      counts.tries += 1;
    };
    const media = { ...t.media, tryToWrite, ...more };
    const convert: AttemptDeps['convert'] = async ({ scratch }) => {
      counts.conversions += 1;
      await writeOutputs(t.media, scratch, { 'o.mp4': 'new' });
      return { ok: true, outputs: [{}], log: '', warnings: [] };
    };
    const result = await tryOn(media, claim, '', convert, {}, { signal }).result.catch((error: unknown) => ({ error }));
    return { ...counts, result };
  };

  test('is not converted again before its output can be written', async () => {
    const { result, conversions } = await tryIt(claimOf(2, met), { tryToWrite: fail });
    expect(result).toMatchObject({ kind: 'outage', counts: false, failure: down.failure });
    expect(conversions).toBe(0);
    expect(await tryIt(claimOf(3, met), {})).toMatchObject({
      ...{ tries: 1, conversions: 1, result: { kind: 'completed' } },
    });
  });

  test('counts an attempt that has converted in vain, but not the first', async () => {
    const first = await tryIt(claimOf(1), { prepare: fail });
    expect(first).toMatchObject({ tries: 0, conversions: 1, result: { kind: 'outage', counts: false } });
    const second = await tryIt(claimOf(2, met), { prepare: fail });
    expect(second).toMatchObject({ tries: 1, conversions: 1, result: { kind: 'outage', counts: true } });
    const staging = await tryIt(claimOf(3, met), { stage: fail });
    expect(staging).toMatchObject({ conversions: 0, result: { kind: 'outage', counts: false } });
  });

  test('is not converted again if the storage is down only while its outputs are prepared', async () => {
    let requests = 0;
    const prepare: MediaStore['prepare'] = async (...[root, scratch, outputs, inputs, { whileDown } = {}]) => {
      await whileDown?.(async () => {
        requests += 1;
        if (requests === 1) throw down;
      });
      return t.media.prepare(root, scratch, outputs, inputs);
    };
    expect(await tryIt(claimOf(1), { prepare })).toMatchObject({ conversions: 1, result: { kind: 'completed' } });
    expect(requests).toBe(2);
  });

  test('counts it also if its files cannot be unpublished', async () => {
    // Without it, each of the two would be repeated for minutes.
    const aborted = AbortSignal.abort('drain');
    const stuck = (claim: Claim) => tryIt(claim, { publish: fail, unpublish: fail }, aborted);
    expect((await stuck(claimOf(1))).result).toMatchObject({ error: expect.any(StorageDown) });
    const { result } = await stuck(claimOf(2, met));
    expect(result).toMatchObject({ error: { failure: down.failure } });
    expect(result).not.toMatchObject({ error: expect.any(StorageDown) });
  });
});

test('stops a conversion when the disk runs low', async () => {
  let short = false;
  const media = { ...t.media, freeBytes: async () => (short ? RESERVE - 1 : RESERVE) };
  const waits: AttemptDeps['convert'] = async ({ scratch, signal }) => {
    await writeOutputs(t.media, scratch, { 'o.mp4': 'x'.repeat(200_000) });
    short = true;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { ok: false, failure: { code: 'CANCELLED', message: 'ended' }, log: '' };
  };
  expect(await tryOn(media, claimOf(1), '', waits).result).toMatchObject({
    kind: 'failed',
    nonRetryable: true,
    failure: { code: 'NO_SPACE' },
  });
});

test('publishes nothing that was converted while the disk was full, and tries again', async () => {
  let full = false;
  const media = { ...t.media, freeBytes: async () => (full ? 0 : RESERVE) };
  const fills: AttemptDeps['convert'] = async ({ scratch }) => {
    await writeOutputs(t.media, scratch, { 'o.mp4': 'cut' });
    full = true;
    return { ok: true, outputs: [{}], log: '', warnings: [] };
  };
  expect(await tryOn(media, claimOf(1), '', fills).result).toMatchObject({
    kind: 'failed',
    nonRetryable: false,
    failure: { code: 'NO_SPACE' },
  });
  expect(await t.get('o.mp4')).toBeUndefined();
});

test.each([
  ['EACCES', true],
  ['EROFS', true],
  ['EIO', false],
])('retries an output that cannot be written with %s only if waiting may help', async (code, nonRetryable) => {
  const media = await t.restart({
    failpoint: (point) => {
      if (point === 'linked') throw Object.assign(new Error(code), { code });
    },
  });
  expect(await tryOn(media, claimOf(1), 'new').result).toMatchObject({
    kind: 'failed',
    failure: { code: 'STORAGE_FAULT' },
    nonRetryable,
  });
});

test('rejects inputs over the limit before ffmpeg starts', async () => {
  let started = false;
  const starts: AttemptDeps['convert'] = async () => {
    started = true;
    return { ok: true, outputs: [{}], log: '', warnings: [] };
  };
  expect(await tryOn(t.media, claimOf(1), '', starts, { input: 3 }).result).toMatchObject({
    kind: 'failed',
    failure: {
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('The inputs are 4 B together; the limit "input" is 3 B'),
    },
  });
  expect(started).toBe(false);
  expect(await tryOn(t.media, claimOf(2), 'new', undefined, { input: 4 }).result).toMatchObject({ kind: 'completed' });
});

test('does not publish an output over the limit that was written between two checks', async () => {
  const { result } = tryOn(t.media, claimOf(1), 'x'.repeat(200_000), undefined, { scratch: 100_000 });
  expect(await result).toMatchObject({
    kind: 'failed',
    failure: { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('limit "scratch"') },
  });
  expect(await t.get('o.mp4')).toBeUndefined();
});

test('a conversion knows what is left of the quota of media, and an analysis has no limit of it', async () => {
  const known: (number | undefined)[] = [];
  const convert: AttemptDeps['convert'] = async ({ policy }) => {
    known.push(policy.media);
    return { ok: false, failure: { code: 'FFMPEG_FAILED', message: '' }, log: '', raw: '' };
  };
  const left = { media: 10 };
  await tryOn(t.media, claimOf(1), '', convert, left, { usedByOthers: 4 }).result;
  await tryOn(t.media, claimOf(2), '', convert, left, { usedByOthers: 40 }).result;
  const planner: AttemptDeps['planner'] = async () => draftOf({ ...plan, outputs: [] });
  await tryOn(t.media, claimOf(3), '', convert, left, { planner }).result;
  expect(known).toEqual([6, 0, undefined]);
});

test('fails, and publishes nothing, if the outputs are longer than what is left of the quota of media', async () => {
  const onRecorded = async () => {
    throw quotaExceeded({ name: 'media', used: 1, limit: 10 }, 4400, '2026-11-20T10:00:00.000Z');
  };
  expect(await tryOn(t.media, claimOf(1), 'new', undefined, { media: 10 }, { onRecorded }).result).toMatchObject({
    kind: 'failed',
    failure: {
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(
        'The outputs exceed the quota "media", which allows 10 seconds of media a day: 1 are used',
      ),
      fix: expect.stringContaining('Send "t"'),
    },
  });
  expect(await t.get('o.mp4')).toBeUndefined();
});
