import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { ORDINARY, type Requirements } from '@telecine/contract/domain/lane.ts';
import { expect, test } from 'vitest';
import type { SubmittedPlan } from '../ports/ffmpeg.ts';
import type { PathStat } from '../ports/media-store.ts';
import type { CheckedRequest } from './check-request.ts';
import { findSpeedNeed } from './long-jobs.ts';

const REQUEST: ConversionRequest = { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx265' } };

const file = (sizeBytes?: number): PathStat => ({
  ...{ kind: 'file', fileId: '1:1', fingerprint: '1' },
  ...(sizeBytes !== undefined && { sizeBytes }),
});

function needOf(
  inputs: readonly PathStat[],
  more: { readonly requirements?: Requirements; readonly seconds?: number; readonly request?: ConversionRequest } = {},
) {
  const { requirements = ORDINARY, seconds, request = REQUEST } = more;
  const plan = { requirements, ...(seconds !== undefined && { seconds }) } as SubmittedPlan;
  return findSpeedNeed({ request, plan, inputs } as unknown as CheckedRequest<SubmittedPlan>);
}

test('a large input makes a job long', async () => {
  expect(await needOf([file(2e9)])).toBe('speed:x265');
  expect(await needOf([file(1000), file(2e9)])).toBe('speed:x265');
});

test.each<[what: string, inputs: readonly PathStat[], more: Parameters<typeof needOf>[1]]>([
  ['a small input', [file(50e6)], {}],
  ['a light job', [file(2e9)], { requirements: { ...ORDINARY, lane: 'light' } }],
  ['a short part of a large input', [file(2e9)], { seconds: 60 }],
  ['an input that is missing or at a URL', [{ kind: 'missing' }, { kind: 'url' }, file()], {}],
  ['a priority above 0', [file(2e9)], { request: { ...REQUEST, priority: 1 } }],
  ['a hardware encoder', [file(90e9)], { request: { ...REQUEST, parameters: { 'c:v': 'h264_nvenc' } } }],
  ['a stream copy', [file(2e9)], { request: { ...REQUEST, parameters: { c: 'copy' } } }],
])('%s does not make a job long', async (_what, inputs, more) => {
  expect(await needOf(inputs, more)).toBeUndefined();
});
