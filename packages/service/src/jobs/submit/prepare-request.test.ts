import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { RecipeDefinition } from '@telecine/contract/domain/recipe.ts';
import { expect, test, vi } from 'vitest';
import type { PlanOfPaths, PlanResult } from '../ports/ffmpeg.ts';
import { prepareRequest } from './prepare-request.ts';

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
const prepare = async (
  results: readonly [PlanResult<PlanOfPaths>, PlanResult<PlanOfPaths>],
  { isLive = true, request = REQUEST } = {},
) => {
  const planner = vi.fn(
    async ({ parameters }: ConversionRequest) => results[parameters?.['c:v'] === 'libx264' ? 1 : 0],
  );
  const isMet = async (needs: readonly string[]) => isLive && needs.every((need) => need.startsWith('device:'));
  const prepared = await prepareRequest({ planner, isMet }, caller, request, {});
  const { request: runs, stored, plan } = prepared;
  return { request: runs, stored, warnings: plan.warnings, plans: planner.mock.calls.length };
};

const onDevice = planned(['cuda', 'h264_nvenc']);

test('the request runs where a live worker has the device, and each plan is made once', async () => {
  expect(await prepare([onDevice, planned()])).toEqual({ request: REQUEST, stored: REQUEST, warnings: [], plans: 2 });
});

test('the fallback runs, with a warning, where no worker has the device or none with it is live', async () => {
  const warnings = [{ field: '/fallback', code: 'DEVICE_FALLBACK' }];
  const runs = { request: FALLBACK, stored: { ...REQUEST, usesFallback: true }, warnings };
  expect(await prepare([rejected('NEEDS_DEVICE'), planned()])).toMatchObject({ ...runs, plans: 2 });
  expect(await prepare([onDevice, planned()], { isLive: false })).toMatchObject(runs);
});

const RECIPE: RecipeDefinition = {
  ...{ name: 'web-h264', version: 1, inputs: [], outputs: [], arguments: {} },
  request: { parameters: { 'c:v': 'libx264' } },
};

test('a job keeps what the client sent, and the definition of its recipe', async () => {
  const sent: ConversionRequest = { ...FALLBACK, parameters: { y: '' }, preset: { name: 'web-h264' } };
  const applied: ConversionRequest = { ...FALLBACK, parameters: { 'c:v': 'libx264', y: '' } };
  const planner = async () => planned();
  const applyPreset = async () => ({ request: applied, recipe: RECIPE, warnings: [] });
  const prepared = await prepareRequest({ planner, applyPreset }, caller, sent, {});
  expect(prepared).toMatchObject({ request: applied, stored: { ...sent, recipe: RECIPE }, areFactsAssumed: false });
});

test('a request that is wrong only with assumed facts about its file is accepted without them', async () => {
  const sent: ConversionRequest = { ...FALLBACK, preset: { name: 'web-h264' } };
  const planner = async ({ parameters = {} }: ConversionRequest) =>
    'b:v' in parameters ? rejected('BAD_VALUE') : planned();
  const accepted = { request: { ...FALLBACK, parameters: {} }, warnings: [] };
  const assumed = { request: { ...FALLBACK, parameters: { 'b:v': '-1' } }, recipe: RECIPE, warnings: [] };
  const prepareWith = (withoutFacts: () => typeof accepted) =>
    prepareRequest({ planner, applyPreset: async () => ({ ...assumed, withoutFacts }) }, caller, sent, {});
  expect(await prepareWith(() => accepted)).toMatchObject({ request: accepted.request, areFactsAssumed: true });
  const wrong = { code: 'INVALID_REQUEST', errors: [{ code: 'BAD_VALUE' }] };
  await expect(prepareWith(() => assumed)).rejects.toMatchObject(wrong);
});

test('other errors of the request stay errors', async () => {
  await expect(prepare([rejected('BAD_VALUE'), planned()])).rejects.toMatchObject({ errors: [{ code: 'BAD_VALUE' }] });
});

test('a fallback that cannot run is an error at once, in the field that the client sent', async () => {
  await expect(prepare([onDevice, rejected('UNKNOWN_ENCODER')])).rejects.toMatchObject({
    errors: [{ field: '/fallback/c:v', code: 'UNKNOWN_ENCODER' }],
  });
});

test('warns about a fallback that is never used', async () => {
  expect(await prepare([planned(), planned()])).toMatchObject({ request: REQUEST, warnings: [{ code: 'NO_EFFECT' }] });
  expect(await prepare([planned(), planned()], { request: FALLBACK })).toMatchObject({ warnings: [], plans: 1 });
});
