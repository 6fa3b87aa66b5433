import type { Job } from '@telecine/contract/domain/job.ts';
import { expect, test } from 'vitest';
import { speedRatio } from './conversion-time.ts';

const job = (parameters: Record<string, string>, seconds: number, codec = 'h264', videoSeconds = 60): Job => ({
  ...{ jobId: 'a', clientId: 'b', status: 'COMPLETED', attempt: 1, createdAt: '2026-11-22T00:00:00Z' },
  request: { input: 'a.mp4', output: 'b.mp4', parameters },
  startedAt: '2026-11-22T00:00:00Z',
  completedAt: new Date(Date.parse('2026-11-22T00:00:00Z') + seconds * 1000).toISOString(),
  outputs: [
    {
      ...{ path: 'b.mp4', sizeBytes: 1, durationSeconds: videoSeconds },
      streams: [{ index: 0, type: 'video', codec, width: 1280, height: 720, fps: 25 }],
    },
  ],
});

test('a job that took twice as long says that the service is half as fast', () => {
  const once = speedRatio(job({ 'c:v': 'libx264' }, 20.5), 2) ?? 0;
  const twice = speedRatio(job({ 'c:v': 'libx264' }, 40.5), 2) ?? 0;
  expect(twice / once).toBeCloseTo(2, 5);
});

test.each<[what: string, finished: Job]>([
  ['a copy', job({ c: 'copy' }, 20)],
  ['a short job', job({ 'c:v': 'libx264' }, 1)],
  ['a job with little work that took long to start', job({ 'c:v': 'libx264' }, 6, 'h264', 1)],
  ['an encoder that was not measured', job({}, 20, 'theora')],
])('%s says nothing about the speed', (_what, finished) => {
  expect(speedRatio(finished, 2)).toBeUndefined();
});
