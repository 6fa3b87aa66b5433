import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { ORDINARY } from '@telecine/contract/domain/lane.ts';
import { expect, test } from 'vitest';
import type { SubmittedPlan } from '../ports/ffmpeg.ts';
import type { PathStat } from '../ports/media-store.ts';
import type { CheckedRequest } from './check-request.ts';
import { findWorkerNeeds } from './long-jobs.ts';

const REQUEST: ConversionRequest = { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx265' } };

const file = (sizeBytes?: number): PathStat => ({
  ...{ kind: 'file', fileId: '1:1', fingerprint: '1' },
  ...(sizeBytes !== undefined && { sizeBytes }),
});

function needOf(
  inputs: readonly PathStat[],
  more: { readonly request?: ConversionRequest } & Partial<
    Pick<SubmittedPlan, 'requirements' | 'seconds' | 'devices'>
  > = {},
) {
  const { request = REQUEST, ...plan } = { requirements: ORDINARY, ...more };
  const checked = { request, stored: request, plan, inputs, areFactsAssumed: false };
  return findWorkerNeeds(checked as unknown as CheckedRequest<SubmittedPlan>).join(' ');
}

test('a large input makes a job long', () => {
  expect(needOf([file(2e9)])).toBe('speed:long');
  expect(needOf([file(1000), file(2e9)])).toBe('speed:long');
  // An encoder that uses two slots is slow.
  const heavy = { ...ORDINARY, weight: 200 };
  expect([needOf([file(200e6)]), needOf([file(200e6)], { requirements: heavy })]).toEqual(['', 'speed:long']);
});

test.each<[what: string, inputs: readonly PathStat[], more: Parameters<typeof needOf>[1]]>([
  ['a small input', [file(50e6)], {}],
  ['a light job', [file(2e9)], { requirements: { ...ORDINARY, lane: 'light' } }],
  ['a short part of a large input', [file(2e9)], { seconds: 60 }],
  ['an input that is missing or at a URL', [{ kind: 'missing' }, { kind: 'url' }, file()], {}],
  ['a priority above 0', [file(2e9)], { request: { ...REQUEST, priority: 1 } }],
  ['a hardware encoder', [file(90e9)], { devices: { type: 'cuda', sessions: 1 } as never }],
])('%s does not make a job long', (_what, inputs, more) => {
  expect(needOf(inputs, more)).toBe('');
});

test('a job whose worker applies a recipe needs a worker that can', () => {
  const recipe = { name: 'own', version: 1, inputs: [], outputs: [], arguments: {}, request: { parameters: {} } };
  expect(needOf([], { request: { ...REQUEST, recipe } })).toBe('recipe:definition');
});
