import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { sendOption } from '@telecine/contract/domain/edit.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { draftOf, faultyDraft } from '../../../../../test/support/planned-drafts.ts';
import { wholePlan } from '../../../../../test/support/planning.ts';
import type { KnownBuilds } from '../../workers/registered-builds.ts';
import { encodeProblem, encodeValue } from '../../workers/request-task.ts';
import { commandTrial, trialsHere, trialTask } from './trials.ts';

const caller = { clientId: 'a' } as Caller;
const failure = { code: 'FFMPEG_FAILED', message: 'No.', fix: sendOption('vf', 'hflip') };
const there = { kind: 'file', fileId: '1:1', fingerprint: '1' } as const;
const flipped: ConversionRequest = { input: 'a.mp4', output: 'b.mp4', parameters: { vf: 'vflip' } };

interface Situation {
  /** The keys of the ffmpeg builds of the workers. */
  readonly builds?: string[];
  readonly live?: boolean;
  readonly mayRun?: boolean;
  /** The result that a worker stores for a trial. */
  readonly result?: string;
  /** true: the result arrives too late. */
  readonly isLate?: boolean;
  readonly isTaken?: boolean;
}

/** A service. In each trial, a worker finds that the command fails. */
function service(now: Situation = {}) {
  const { builds = ['5.1'], live = true, mayRun = true } = now;
  const stopping = new AbortController();
  let tasks = 0;
  const recent = builds.map((key) => ({ build: { key } })) as unknown as KnownBuilds['recent'];
  const tryCommand = commandTrial(
    {
      tasks: {
        add: async () => void tasks++,
        result: async () => {
          if (now.isLate) vi.advanceTimersByTime(6000);
          return now.isLate ? undefined : (now.result ?? encodeValue({ isTried: true, failure }));
        },
        remove: async () => now.isTaken === false,
      } as never,
      workers: { seenWithin: async () => (live ? [{ hasFfprobe: true }] : []) } as never,
    },
    {
      findBuilds: async () => ({ recent, away: [] }),
      mayRun: async () => mayRun,
      stopping: stopping.signal,
      onError: (error) => {
        throw error;
      },
    },
  );
  const warningsOf = (request: ConversionRequest, stat: Parameters<typeof tryCommand>[3][number] = there) =>
    tryCommand(caller, request, wholePlan(request), [stat]);
  return { tryCommand, warningsOf, tasks: () => tasks, recent, stop: () => stopping.abort() };
}

test('warns of the failure at the option that its fix sends, and tries an equal command once', async () => {
  const { warningsOf, tasks } = service();
  const warning = { ...failure, field: '/parameters/vf', message: 'No. The job would fail.' };
  expect(await warningsOf(flipped)).toEqual([warning]);
  expect(await warningsOf({ ...flipped, metadata: { order: '1' } })).toEqual([warning]);
  expect(tasks()).toBe(1);
  // The file has changed.
  await warningsOf(flipped, { ...there, fingerprint: '2' });
  expect(tasks()).toBe(2);
});

test('tries again what was tried on another build', async () => {
  const { warningsOf, tasks, recent } = service();
  await warningsOf(flipped);
  Object.assign(recent[0] ?? {}, { build: { key: '7.1' } });
  await warningsOf(flipped);
  expect(tasks()).toBe(2);
});

test('tries again what no worker could try', async () => {
  const { warningsOf, tasks } = service({ result: encodeValue({ isTried: false }) });
  expect([await warningsOf(flipped), await warningsOf(flipped)]).toEqual([[], []]);
  expect(tasks()).toBe(2);
});

test('workers are left alone after none took a trial, but not after a trial that took too long or had a problem', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const problem = encodeProblem(new Problem('RATE_LIMITED', 'Too many requests of this client.'));
  for (const [now, tried] of [
    [{ isLate: true, isTaken: false }, 1],
    [{ isLate: true, isTaken: true }, 2],
    [{ result: problem }, 2],
  ] as const) {
    const { warningsOf, tasks } = service(now);
    expect([await warningsOf(flipped), await warningsOf(flipped)]).toEqual([[], []]);
    expect(tasks()).toBe(tried);
  }
});

test('does not try what the caller may not run now, nor when the service stops', async () => {
  const full = service({ mayRun: false });
  expect(await full.warningsOf(flipped)).toEqual([]);
  const stopped = service();
  stopped.stop();
  expect(await stopped.warningsOf(flipped)).toEqual([]);
  expect(full.tasks() + stopped.tasks()).toBe(0);
});

test('names an option only where the output has it that fails', async () => {
  const several = (...filters: readonly string[]): ConversionRequest => ({
    input: 'a.mp4',
    outputs: filters.map((vf, at) => ({ output: `${at}.mp4`, parameters: vf === '' ? { crf: '30' } : { vf } })),
  });
  const fieldsOf = async (about: { readonly output?: number }, request: ConversionRequest) =>
    (await service({ result: encodeValue({ isTried: true, failure: { ...failure, about } }) }).warningsOf(request)).map(
      ({ field }) => field,
    );
  expect(await fieldsOf({ output: 1 }, several('vflip', 'vflip'))).toEqual(['/outputs/1/parameters/vf']);
  expect(await fieldsOf({ output: 1 }, several('vflip', ''))).toEqual([undefined]);
  expect(await fieldsOf({}, several('vflip', 'vflip'))).toEqual([undefined]);
  expect(await fieldsOf({}, several('vflip', ''))).toEqual([undefined]);
});

test('a worker says that it tried nothing when the files are gone, or when it stops', async () => {
  const gone = new JobFailed({ code: 'INPUT_NOT_FOUND', message: 'There is no file "a.mp4".' });
  const run = (error: Error, stopping = new AbortController().signal) => {
    const task = trialTask(
      () => Promise.reject(error),
      async () => ({}) as never,
      stopping,
    );
    return task.run('a', flipped, new AbortController().signal);
  };
  expect(await run(gone)).toEqual({ isTried: false });
  expect(await run(new Error('stopped'), AbortSignal.abort())).toEqual({ isTried: false });
  await expect(run(new Error('broken'))).rejects.toThrow('broken');
});

test('a stop of the service waits for the files of a trial to be removed', async () => {
  const closers = new AsyncDisposableStack();
  const isRemoved = Promise.withResolvers<void>();
  let removed = false;
  const tryHere = trialsHere(closers, {
    media: {
      stageFile: async () => ({}) as never,
      removeInput: async () => undefined,
      mounts: () => [],
    },
    tools: Promise.resolve({ build: { path: process.execPath } } as never),
    planner: async (request) => draftOf(wholePlan(request)),
    space: async () => {
      await isRemoved.promise;
      removed = true;
      throw new Error('stopped');
    },
    onFault: () => undefined,
  });
  const trial = tryHere({ clientId: 'a' } as never, flipped, new AbortController().signal).catch(() => undefined);
  setTimeout(isRemoved.resolve, 50);
  await closers.disposeAsync();
  expect(removed).toBe(true);
  await trial;
});

test('a request that only the ffmpeg of absent workers accepts is not tried here', async () => {
  await using closers = new AsyncDisposableStack();
  const never = (): never => {
    throw new Error('Nothing is staged or run.');
  };
  const tryHere = trialsHere(closers, {
    media: { stageFile: never, removeInput: never, mounts: never },
    tools: Promise.resolve({ build: { path: process.execPath } } as never),
    planner: async () => faultyDraft([{ field: '/parameters/c:v', code: 'UNKNOWN_ENCODER', message: 'No.' }]),
    space: never,
    onFault: never,
  });
  const recent = [{ build: { key: '5.1' } }] as unknown as KnownBuilds['recent'];
  const tryCommand = commandTrial(
    { tryHere },
    {
      findBuilds: async () => ({ recent, away: [] }),
      mayRun: async () => true,
      stopping: new AbortController().signal,
      onError: (error) => {
        throw error;
      },
    },
  );
  expect(await tryCommand(caller, flipped, wholePlan(flipped), [there])).toEqual([]);
});

test.each<[why: string, request: ConversionRequest]>([
  ['without options', { input: 'a.mp4', output: 'b.mkv' }],
  ['with times alone', { input: 'a.mp4', output: 'b.mp4', parameters: { ss: '1', to: '3', y: '' } }],
  ['with options of its recipe alone', { ...flipped, preset: { name: 'mirror', options: ['vf'] } }],
  ['after jobs that may write its inputs', { ...flipped, after: ['a'] }],
  ['with numbered pictures', { ...flipped, input: 'a%03d.png' }],
  ['with measuring passes', { ...flipped, output: 'b.m4a', parameters: { vn: '', pass: '2', af: 'loudnorm' } }],
  ['with joined inputs', { ...flipped, inputs: ['a.mp4', 'c.mp4'], join: 'encode' }],
])('does not try a request %s', async (_why, request) => {
  const { input, ...several } = request;
  const { warningsOf, tasks } = service();
  expect(await warningsOf(request.join === undefined ? request : several)).toEqual([]);
  expect(tasks()).toBe(0);
});

test('does not try a command whose input is missing or at a URL, that several builds may run, or that nobody can run now', async () => {
  expect(await service().warningsOf(flipped, { kind: 'missing' })).toEqual([]);
  expect(await service().warningsOf(flipped, { kind: 'url' })).toEqual([]);
  expect(await service({ builds: ['5.1', '7.1'] }).warningsOf(flipped)).toEqual([]);
  expect(await service({ live: false }).warningsOf(flipped)).toEqual([]);
});

test('ends with the caller', async () => {
  const hangUp = new AbortController();
  const { tryCommand } = service();
  const trial = tryCommand(caller, flipped, wholePlan(flipped), [there], hangUp.signal);
  hangUp.abort(new Error('hung up'));
  await expect(trial).rejects.toThrow('hung up');
});
