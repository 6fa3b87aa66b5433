import { expect, test } from 'vitest';
import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { FieldError } from '../../domain/problem.ts';
import type { PlanOfPaths, PlanResult } from '../ports/ffmpeg.ts';
import { selectFallback } from './select-fallback.ts';

const REQUEST: ConversionRequest = {
  input: 'a.mp4',
  output: 'b.mp4',
  parameters: { 'c:v': 'h264_nvenc' },
  fallback: { 'c:v': 'libx264' },
};

const FALLBACK: ConversionRequest = { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx264' } };

const planned = (devices?: readonly string[]): PlanResult<PlanOfPaths> => ({
  ok: true,
  plan: { outputs: [], inputs: [], warnings: [], ...(devices && { devices }) },
});
const rejected = (code: string): PlanResult<PlanOfPaths> => ({
  ok: false,
  errors: [{ field: '/parameters/c:v', code, message: `${code}.` } satisfies FieldError],
});

const caller = {} as Caller;

/** @param results The plans of the request and of its fallback. */
const select = (
  results: readonly [PlanResult<PlanOfPaths>, PlanResult<PlanOfPaths>],
  { isLive = true, request = REQUEST } = {},
) =>
  selectFallback(
    async ({ parameters }) => results[parameters?.['c:v'] === 'libx264' ? 1 : 0],
    async (needs) => isLive && needs.every((need) => need.startsWith('device:')),
    caller,
    request,
  );

const onDevice = planned(['cuda', 'h264_nvenc']);

test('the request runs where a live worker has the device', async () => {
  expect(await select([onDevice, planned()])).toEqual({ request: REQUEST });
});

test('the fallback runs, with a warning, where no worker has the device or none with it is live', async () => {
  const warning = { field: '/fallback', code: 'DEVICE_FALLBACK' };
  expect(await select([rejected('NEEDS_DEVICE'), planned()])).toMatchObject({ request: FALLBACK, warning });
  expect(await select([onDevice, planned()], { isLive: false })).toMatchObject({ request: FALLBACK, warning });
});

test('other errors of the request stay errors', async () => {
  expect(await select([rejected('BAD_VALUE'), planned()])).toEqual({ request: REQUEST });
});

test('a fallback that cannot run is an error at once, in the field that the client sent', async () => {
  await expect(select([onDevice, rejected('UNKNOWN_ENCODER')])).rejects.toMatchObject({
    errors: [{ field: '/fallback/c:v', code: 'UNKNOWN_ENCODER' }],
  });
});

test('warns about a fallback that is never used', async () => {
  expect(await select([planned(), planned()])).toMatchObject({ request: REQUEST, warning: { code: 'NO_EFFECT' } });
  expect(await select([planned(), planned()], { request: FALLBACK })).toBeUndefined();
});
