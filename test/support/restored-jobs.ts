import { expect, onTestFinished } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { ApiClient } from './api-client.ts';
import { waitUntil } from './wait.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

const PATH = '/jobs';

/** How jobs ended that were in the queue when a backup was made. */
export interface EndedJobs {
  /** Complete jobs: one file, several files, and one whose input may be removed now. */
  readonly complete: readonly JobView[];
  /** A job that was cancelled before it wrote `foreign.mkv`. */
  readonly cancelled: string;
}

/** Queues jobs on `movie.mp4` and `gone.mp4` while the queue is paused. `run` lets them end. */
export async function prepareJobs(
  admin: ApiClient,
  receiver: WebhookReceiver,
): Promise<{ readonly run: () => Promise<EndedJobs> }> {
  onTestFinished(() => receiver.close());
  await admin.request('/api/webhook-secret/rotate', { method: 'POST' });
  await admin.request('/api/queue/pause', { method: 'POST' });
  const queue = (output: string, input = 'movie.mp4', more: object = {}) =>
    admin.accept({ input, output, parameters: { c: 'copy', ...more }, callbackUrl: receiver.url(PATH) });
  const cancelled = await queue('foreign.mkv');
  const jobIds = [
    await queue('plain.mkv'),
    await queue('hls/index.m3u8', 'movie.mp4', { hls_time: '0.2' }),
    await queue('from-gone.mkv', 'gone.mp4'),
  ];
  return {
    run: async () => {
      await admin.request(`/api/conversion/${cancelled}/cancel`, { method: 'POST' });
      await admin.request('/api/queue/resume', { method: 'POST' });
      const complete = await Promise.all(jobIds.map((jobId) => admin.wait(jobId)));
      expect(complete.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
      await waitUntil('the events', async () => receiver.received(PATH).length > jobIds.length || undefined);
      return { complete, cancelled };
    },
  };
}

/** Asserts that jobs end as they did before the database was restored, and that no event says otherwise. */
export async function expectNoContradiction(
  admin: ApiClient,
  receiver: WebhookReceiver,
  { complete, cancelled }: EndedJobs,
): Promise<void> {
  const before = receiver.received(PATH).length;
  expect(await admin.job(complete[0]?.jobId ?? '')).toMatchObject({ status: 'PENDING' });
  await admin.request('/api/queue/resume', { method: 'POST' });
  for (const { jobId, outputs } of complete)
    expect(await admin.wait(jobId)).toMatchObject({ status: 'COMPLETED', outputs });
  expect(await admin.wait(cancelled)).toMatchObject({ status: 'FAILED', error: { code: 'OUTPUT_EXISTS' } });
  await waitUntil('the new events', async () => receiver.received(PATH).length > before + complete.length || undefined);
  const typesOf = (jobId: string) =>
    receiver.received(PATH).flatMap(({ event }) => (event.data.jobId === jobId ? [event.type] : []));
  for (const { jobId } of complete) expect(new Set(typesOf(jobId))).toEqual(new Set(['job.completed']));
}
