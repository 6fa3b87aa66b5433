import { expect, test } from 'vitest';
import type { ConversionRequest } from './conversion.ts';
import { requestAsSent, withSent } from './sent-request.ts';

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
  preset: { name: 'target-size', version: 1, arguments: { size: 8, audio: 128 }, options: ['c:v', 'b:v'] },
  metadata: { order: '7' },
};

test('the request of a job is given back as it was sent, whatever its recipe has set', () => {
  expect(requestAsSent(withSent(RUNS, SENT))).toEqual(SENT);
});

test('what is set after the recipe is applied, such as the jobs of a batch to wait for, is part of the request', () => {
  const after = ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'];
  expect(requestAsSent({ ...withSent(RUNS, SENT), after, priority: -1 })).toEqual({ ...SENT, after, priority: -1 });
});

test('a request that runs as it was sent is stored once', () => {
  expect(withSent(SENT, SENT)).toBe(SENT);
  expect(requestAsSent(SENT)).toEqual(SENT);
});

test('a retry keeps what was sent for the first job', () => {
  const stored = withSent(RUNS, SENT);
  expect(withSent({ ...stored, parameters: {} }, stored).sent).toBe(stored.sent);
});
