import { expect, test } from 'vitest';
import { wholePlan } from '../../../test/support/planning.ts';
import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { KnownBuilds } from '../../workers/registered-builds.ts';
import { encodeValue } from '../../workers/task-result.ts';
import { commandTrial } from './trials.ts';

const caller = { clientId: 'a' } as Caller;
const failure = { code: 'FFMPEG_FAILED', message: 'No.', fix: 'Send "vf": "hflip".' };
const there = { kind: 'file', fileId: '1:1', fingerprint: '1' } as const;
const flipped: ConversionRequest = { input: 'a.mp4', output: 'b.mp4', parameters: { vf: 'vflip' } };

/** A service whose workers find a failure in each command. `builds`: the keys of their builds. */
function service({ builds = ['5.1'], live = true } = {}) {
  let tasks = 0;
  const recent = builds.map((key) => ({ current: { build: { key } } })) as unknown as KnownBuilds['recent'];
  const tryCommand = commandTrial(
    {
      isHere: false,
      tasks: {
        add: async () => void tasks++,
        result: async () => encodeValue({ failure }),
        remove: async () => undefined,
      } as never,
      workers: { seenWithin: async () => (live ? [{ hasFfprobe: true }] : []) } as never,
    },
    {
      findBuilds: async () => ({ recent, away: [] }),
      onError: (error) => {
        throw error;
      },
    },
  );
  const warningsOf = (request: ConversionRequest, stat: Parameters<typeof tryCommand>[3][number] = there) =>
    tryCommand(caller, request, wholePlan(request), [stat]);
  return { tryCommand, warningsOf, tasks: () => tasks };
}

test('warns of the failure at the option that its fix sends, and tries an equal command once', async () => {
  const { warningsOf, tasks } = service();
  const warning = { ...failure, field: '/parameters/vf', message: 'No. The job would fail.' };
  expect(await warningsOf(flipped)).toEqual([warning]);
  expect(await warningsOf({ ...flipped, metadata: { order: '1' } })).toEqual([warning]);
  expect(tasks()).toBe(1);
  // The file is another one now.
  await warningsOf(flipped, { ...there, fingerprint: '2' });
  expect(tasks()).toBe(2);
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
