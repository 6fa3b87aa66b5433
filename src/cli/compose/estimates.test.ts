import { expect, test } from 'vitest';
import { wholePlan } from '../../../test/support/planning.ts';
import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { MediaInfo } from '../../domain/media-info.ts';
import { Problem, type ProblemCode } from '../../domain/problem.ts';
import { estimator } from './estimates.ts';

const caller = { clientId: 'a' } as Caller;
const noJobs = { list: async () => [] };

const unreadableOf = async (request: ConversionRequest, probe: () => Promise<MediaInfo>) =>
  (await estimator({ probe }, noJobs)(caller, wholePlan(request), [{ kind: 'file', fileId: '1:1' }])).unreadable;

const failing = (code: ProblemCode) => async () => {
  const cause = { field: '/input', code, message: 'It is an HTML page.', fix: 'Send a media file.' };
  throw new Problem(code, cause.message, { errors: [cause] });
};
const empty = async (): Promise<MediaInfo> => ({
  format: { names: ['wav'], isEmpty: true, tags: {} },
  streams: [],
  chapters: [],
});
const request = { input: 'a.mp4', output: 'b.mp4' };

test('says which input cannot be read, and why', async () => {
  expect(await unreadableOf(request, failing('INPUT_INVALID'))).toMatchObject([
    { index: 0, cause: { message: 'It is an HTML page.' } },
  ]);
  expect(await unreadableOf(request, empty)).toMatchObject([
    { index: 0, cause: { message: expect.stringContaining('ends after its header') } },
  ]);
});

test('does not blame a file for a service that is busy', async () => {
  expect(await unreadableOf(request, failing('RATE_LIMITED'))).toEqual([]);
});

test('does not blame a file that the request reads in a format of its own, as a probe does not', async () => {
  const raw = { inputs: [{ input: 'a.mp4', parameters: { f: 's16le', ar: '44100' } }], output: 'b.wav' };
  expect(await unreadableOf(raw, failing('INPUT_INVALID'))).toEqual([]);
});
