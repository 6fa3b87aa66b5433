import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test, vi } from 'vitest';
import { withInputTimes } from './input-probes.ts';

const BAD = { code: 'BAD_TIME', message: '"ss" must be a time, not "50%".', fix: 'Send the time in seconds.' };

async function errorsOf(request: ConversionRequest, field: string, seconds?: number, error = BAD, frameRate?: number) {
  const times = { ...(seconds !== undefined && { seconds }), ...(frameRate !== undefined && { frameRate }) };
  const timesOf = vi.fn(async (_path: string) => times);
  const result = await withInputTimes(invalidRequest([{ field, ...error }]), request, timesOf);
  return { errors: result instanceof Problem ? result.errors : [], paths: timesOf.mock.calls.flat() };
}

test.each<[request: ConversionRequest, field: string, path: string]>([
  [{ input: 'a.mov', parameters: { ss: '50%' } }, '/parameters/ss', 'a.mov'],
  [{ inputs: ['a.mov', { input: 'b.mov', parameters: { ss: '50%' } }] }, '/inputs/1/parameters/ss', 'b.mov'],
])('says which time a share of the input is: %j', async (request, field, path) => {
  const { errors, paths } = await errorsOf({ output: 'b.jpg', ...request }, field, 12.034);
  expect(paths).toEqual([path]);
  expect(errors).toEqual([
    { ...BAD, field, message: `${BAD.message} The input lasts 12.034 s.`, fix: 'Send "6.017".' },
  ]);
});

test.each([
  ['ss', '100%'],
  ['ss', '150%'],
  ['to', '120%'],
])('does not answer with a time at which nothing is left: %s of %s', async (name, share) => {
  const request = { input: 'a.mov', output: 'b.jpg', parameters: { [name]: share } };
  expect((await errorsOf(request, `/parameters/${name}`, 60)).errors).toMatchObject([{ fix: BAD.fix }]);
});

test('the end of an input is a time for an end', async () => {
  const request = { input: 'a.mov', output: 'b.mp4', parameters: { to: '100%' } };
  expect((await errorsOf(request, '/parameters/to', 60)).errors).toMatchObject([{ fix: 'Send "60".' }]);
});

test('says it as a number for an argument of a recipe', async () => {
  const preset = { name: 'poster', arguments: { at: '25 %' } };
  const error = {
    ...BAD,
    code: 'BAD_ARGUMENT',
    message: '"at" is wrong.',
    about: 'time',
  };
  const { errors } = await errorsOf({ input: 'a.mov', output: 'b.jpg', preset }, '/preset/arguments/at', 8, error);
  expect(errors).toMatchObject([{ fix: 'Send 2.' }]);
});

test('probes nothing for other values, and keeps the error of an input of unknown length', async () => {
  const request = { input: 'a.mov', output: 'b.jpg', parameters: { ss: 'middle', t: '50%' } };
  expect(await errorsOf(request, '/parameters/ss', 12)).toMatchObject({ errors: [BAD], paths: [] });
  expect(await errorsOf(request, '/parameters/t')).toMatchObject({ errors: [BAD], paths: ['a.mov'] });
});

test.each([
  ['00:00:02:06', 24, 'Send "2.25".'],
  ['00:01:00;15', 30000 / 1001, 'Send "60.501".'],
  ['01:00:00:00', 24000 / 1001, 'Send "3603.6".'],
  ['00:00:02:24', 24, BAD.fix],
])('counts the frames of the timecode %s at %s frames per second', async (ss, rate, fix) => {
  const request = { input: 'a.mov', output: 'b.mp4', parameters: { ss } };
  expect((await errorsOf(request, '/parameters/ss', 60, BAD, rate)).errors).toMatchObject([{ fix }]);
});

test('a timecode without a frame rate keeps its choices', async () => {
  const request = { input: 'a.wav', output: 'b.wav', parameters: { ss: '00:00:02:06' } };
  expect((await errorsOf(request, '/parameters/ss', 60)).errors).toMatchObject([BAD]);
});
