import { expect, onTestFinished, test, vi } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { PathScope } from '../../packages/contract/src/domain/media-root.ts';
import { draftOrPlan, PlanTooLarge, planningWork } from '../../packages/ffmpeg/src/plan/plan-step.ts';
import { PlanThread } from '../../packages/service/src/jobs/ffmpeg/plan-thread.ts';
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

const thread = new PlanThread(60_000);

const twenty = Array.from({ length: 20 }, (_, index) => ({ output: `${index}.mp4` }));

/** Requests whose plans and errors differ in form. */
const REQUESTS: Readonly<Record<string, ConversionRequest>> = {
  'several outputs': { input: 'a.mp4', outputs: twenty, parameters: { 'filter:v': 'hflip,vflip', 'b:v': '1M' } },
  'errors in several outputs': {
    input: 'a.mp4',
    outputs: twenty,
    parameters: { 'c:v': 'libx265', crg: '1', vf: 'scale=1:1:1:1:1:x' },
  },
  'URLs, one of them denied': {
    inputs: ['https://allowed.example/a.mp4', 'https://denied.example/b.mp4'],
    output: 'c.mp4',
  },
  'a strict request': { input: 'a.mp4', output: 'b.mp4', strict: true, parameters: { 'c:v': 'libx264', crf: '23' } },
};

test.each(Object.entries(REQUESTS))('plans %s as the event loop does', async (_name, request) => {
  const catalogues = [CATALOGUE, NEWER];
  expect(await thread.plan(taskOf(request), catalogues)).toEqual(draftOrPlan(taskOf(request), catalogues));
});

test('ends a plan at its deadline', async () => {
  const task = taskOf({ input: 'a.mp4', outputs: twenty });
  await expect(new PlanThread(1).plan(task, [CATALOGUE])).rejects.toThrow(PlanTooLarge);
});

test('ignores an error that the thread reports after its deadline', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', note);
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const one of listeners) process.on('uncaughtException', one);
  });
  const deadline = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  // Without a catalogue, the thread throws. The event loop waits until then, so that it sees the deadline first.
  const late = thread.plan(taskOf({ input: 'a.mp4', output: 'b.mp4' }), []);
  timeout.mockRestore();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
  deadline.abort();
  await expect(late).rejects.toThrow(PlanTooLarge);
  expect(uncaught).toEqual([]);
});

test('rejects a request that no thread can receive', async () => {
  const odd = {
    ...taskOf({ input: 'a.mp4', output: 'b.mp4' }),
    facts: { policy: { threads: (() => 1) as unknown as number } },
  };
  await expect(thread.plan(odd, [CATALOGUE])).rejects.toThrow('could not be cloned');
});

test('the work of a plan grows with the outputs that share options', () => {
  const parameters = { vf: 'a'.repeat(1000) };
  const one = planningWork({ input: 'a.mp4', output: 'b.mp4', parameters });
  expect(one).toBeGreaterThan(1000);
  expect(planningWork({ input: 'a.mp4', outputs: twenty, parameters })).toBeGreaterThan(20 * one);
});
