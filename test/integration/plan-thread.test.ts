import { afterAll, expect, test, vi } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { PathScope } from '../../packages/contract/src/domain/media-root.ts';
import { draftOrPlan, PlanTooLarge, planningWork } from '../../packages/ffmpeg/src/plan/plan-step.ts';
import { PlanThread } from '../../packages/service/src/jobs/ffmpeg/plan-thread.ts';
import { FAMILIES } from '../common-requests/families.ts';
import { CATALOGUE } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

const NEWER = recordedCatalogue('7.1');

const scope: PathScope = {
  pathPrefix: '/srv/media/',
  grants: [],
  urls: {
    check: (url) =>
      url.includes('denied') ? { code: 'DENIED', message: 'It is denied.', fix: 'Send another.' } : undefined,
  },
};

const taskOf = (request: ConversionRequest) => ({ request, scope, facts: { cores: 4, policy: { threads: 2 } } });

const thread = new PlanThread({ deadlineMs: 60_000, idleMs: 60_000 });
afterAll(() => thread[Symbol.asyncDispose]());

const twenty = Array.from({ length: 20 }, (_, index) => ({ output: `${index}.mp4` }));

/** Requests whose plans and errors differ in form. */
const REQUESTS: Readonly<Record<string, ConversionRequest>> = {
  'several outputs': { input: 'a.mp4', outputs: twenty, parameters: { 'filter:v': 'hflip,vflip', 'b:v': '1M' } },
  'errors in several outputs': {
    input: 'a.mp4',
    outputs: twenty,
    parameters: { 'c:v': 'libx265', crg: '1', vf: 'scale=1:1:1:1:1:x' },
  },
  'a film of clips': { inputs: ['a.mp4', 'b.mp4'], join: 'encode', output: 'c.mp4' },
  'a slideshow': {
    inputs: [
      { input: 'a.png', duration: '2' },
      { input: 'b.png', duration: '2' },
    ],
    output: 'c.mp4',
  },
  'a playlist with a counter': {
    input: 'a.mp4',
    output: 'hls/out.m3u8',
    parameters: { hls_segment_filename: 'part_%03d.ts' },
  },
  'two passes': { input: 'a.mp4', output: 'b.mp4', parameters: { pass: '2', 'b:v': '1M', af: 'loudnorm=I=-16' } },
  'URLs, one of them denied': {
    inputs: ['https://allowed.example/a.mp4', 'https://denied.example/b.mp4'],
    output: 'c.mp4',
  },
  'a URL': { input: 'https://allowed.example/a.mp4?signature=1', output: 'c.mp4' },
  'a strict request': { input: 'a.mp4', output: 'b.mp4', strict: true, parameters: { 'c:v': 'libx264', crf: '23' } },
};

test.each(Object.entries(REQUESTS))('plans %s as the event loop does', async (_name, request) => {
  for (const catalogues of [[CATALOGUE, NEWER], [NEWER]])
    expect(await thread.plan(taskOf(request), catalogues)).toEqual(draftOrPlan(taskOf(request), catalogues));
});

test('plans common requests as the event loop does, in any order', async () => {
  const catalogues = [CATALOGUE];
  for (const { request } of Object.values(FAMILIES)
    .flat()
    .filter((_, index) => index % 10 === 0))
    expect(await thread.plan(taskOf(request), catalogues)).toEqual(draftOrPlan(taskOf(request), catalogues));
});

test('ends a plan at its deadline, and starts again for the next', async () => {
  await using hasty = new PlanThread({ deadlineMs: 1, idleMs: 60_000 });
  const plan = () => hasty.plan(taskOf({ input: 'a.mp4', outputs: twenty }), [CATALOGUE]);
  await expect(plan()).rejects.toThrow(PlanTooLarge);
  expect(hasty.isRunning).toBe(false);
  await expect(plan()).rejects.toThrow(PlanTooLarge);
});

test('starts again after a request that no thread can receive, and ends when it is idle', async () => {
  await using brief = new PlanThread({ deadlineMs: 60_000, idleMs: 1 });
  const odd = {
    ...taskOf({ input: 'a.mp4', output: 'b.mp4' }),
    facts: { policy: { threads: (() => 1) as unknown as number } },
  };
  await expect(brief.plan(odd, [CATALOGUE])).rejects.toThrow('could not be cloned');
  expect(brief.isRunning).toBe(false);
  const [, ordinary = { input: '' }] = Object.values(REQUESTS);
  expect(await brief.plan(taskOf(ordinary), [CATALOGUE])).toHaveProperty('result');
  await vi.waitFor(() => expect(brief.isRunning).toBe(false), { timeout: 10_000 });
});

test('the work of a plan grows with the outputs that share options', () => {
  const parameters = { vf: 'a'.repeat(1000) };
  const one = planningWork({ input: 'a.mp4', output: 'b.mp4', parameters });
  expect(one).toBeGreaterThan(1000);
  expect(planningWork({ input: 'a.mp4', outputs: twenty, parameters })).toBeGreaterThan(20 * one);
});
