import { expect, test } from 'vitest';
import type { ConversionRequest } from './conversion.ts';
import { isApplied, requestAsSent, withSent } from './sent-request.ts';

const SENT: ConversionRequest = {
  input: 'a.mov',
  output: 'b.mp4',
  parameters: { y: '' },
  preset: { name: 'target-size', arguments: { size: 8 } },
  metadata: { order: '7' },
};

const RUNS: ConversionRequest = {
  inputs: [{ input: 'a.mov', parameters: { ss: '2' } }],
  output: 'b.mp4',
  parameters: { 'c:v': 'libx264', 'b:v': '812k', y: '' },
  frameSize: 'auto',
  preset: { name: 'target-size', version: 1, arguments: { size: 8, audio: 128 } },
  metadata: { order: '7' },
};

test('the request of a job is given back as it was sent, whatever its recipe has set', () => {
  expect(requestAsSent(withSent(RUNS, SENT))).toEqual(SENT);
});

test('what is set after the recipe is applied, such as the jobs of a batch to wait for, is part of the request', () => {
  const after = ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'];
  expect(requestAsSent({ ...withSent(RUNS, SENT), after, priority: -1 })).toEqual({ ...SENT, after, priority: -1 });
});

test('what was sent is stored beside what ran, without the origins of its parts', () => {
  const origins = { '/parameters/b:v': { field: '/preset' } };
  expect(withSent({ ...RUNS, origins }, SENT)).not.toHaveProperty('origins');
  expect(requestAsSent(SENT)).toEqual(SENT);
});

test('a job of an earlier version runs as it is stored', () => {
  expect(isApplied(withSent(RUNS, SENT))).toBe(true);
  expect(isApplied({ ...SENT, preset: { name: 'target-size', options: [] } })).toBe(true);
  expect(isApplied(SENT)).toBe(false);
  const recipe = {
    name: 'target-size',
    version: 1,
    inputs: [],
    outputs: [],
    arguments: {},
    request: { parameters: {} },
  };
  expect(isApplied(withSent({ ...RUNS, recipe }, SENT))).toBe(false);
});
