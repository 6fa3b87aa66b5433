import type { Job, MediaInfo } from '@telecine/client';
import { expect, test } from 'vitest';
import { sourcePosition } from './source-position.ts';

const running = (progress: number, more: Partial<Job> = {}) =>
  ({ status: 'PROCESSING', phase: 'CONVERTING', progress, ...more }) as Job;

const source = (durationSeconds?: number, sizeBytes = 1e6, streams: readonly object[] = [{ type: 'video' }]) =>
  ({ format: { ...(durationSeconds !== undefined && { durationSeconds }), sizeBytes }, streams }) as MediaInfo;

test('the frame is the one at the progress of the job, in sixty steps', () => {
  const at = (progress: number) => sourcePosition(running(progress), source(120));
  expect([0, 1, 1.7, 25, 50, 99.9, 100].map(at)).toEqual([0, 0, 2, 30, 60, 118, 118]);
});

test('a part of the source, also a repeated one, has its own beginning and length', () => {
  const half = (more: Partial<Job>) => sourcePosition(running(50, more), source(100));
  expect(half({ parameters: { ss: '20', t: '10' } })).toBe(25);
  expect(half({ parameters: { ss: '0:20', to: '40' } })).toBe(30);
  expect(half({ inputs: [{ input: 'a.mov', parameters: { ss: '90', to: '300' } }] })).toBe(95);
  expect(half({ inputs: [{ input: 'a.mov', parameters: { stream_loop: '2' } }] })).toBe(50);
});

test('a large source has few frames or none, because the service may copy it for each', () => {
  const steps = (bytes: number) =>
    new Set(Array.from({ length: 100 }, (_, percent) => sourcePosition(running(percent), source(1000, bytes)))).size;
  expect([1e8, 2e9, 10e9].map(steps)).toEqual([60, 10, 2]);
  expect(sourcePosition(running(50), source(1000, 10.1e9))).toBeUndefined();
});

test('a job that does not go through its source once has no frame', () => {
  expect(sourcePosition(running(50), source())).toBeUndefined();
  const song = [{ type: 'audio' }, { type: 'video', isAttachedPicture: true }];
  expect(sourcePosition(running(50), source(10, 1e6, song))).toBeUndefined();
  for (const more of [
    { status: 'COMPLETED' as const },
    { phase: 'PUBLISHING' as const },
    { cut: { keep: [] } },
    { quality: { target: 0.9 } },
    { parameters: { pass: '2' } },
    { parameters: { vf: 'scale=640:-2,reverse' } },
    { parameters: { filter_complex: '[0:v]setpts=PTS/2[v]' } },
    { requestedOutputs: [{ output: 'a.mp4', parameters: { vf: 'trim=5:8' } }] },
    { parameters: { sseof: '-5' } },
    ...[{ sseof: '-5' }, { stream_loop: '-1' }, { itsoffset: '2' }, { itsscale: '0.5' }, { loop: '1' }].map(
      (parameters) => ({ inputs: [{ input: 'a.mov', parameters }] }),
    ),
  ])
    expect(sourcePosition(running(50, more as Partial<Job>), source(10)), JSON.stringify(more)).toBeUndefined();
});

test('a filter that keeps the order and the speed of frames changes nothing about the frame', () => {
  const parameters = { vf: 'fps=12,scale=640:-2', loop: '0' };
  expect(sourcePosition(running(50, { parameters }), source(10))).toBe(5);
});
