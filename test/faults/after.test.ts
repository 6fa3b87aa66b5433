// @module-tag long
import { expect, onTestFinished } from 'vitest';
import type { AcceptedBatchView, BatchView } from '../../packages/contract/src/wire/batch.ts';
import { needs } from '../support/needs.ts';
import { waitUntil } from '../support/wait.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { createFaultHarness, VOICE } from './fault-harness.ts';

const test = needs('ffmpeg', 'linux');

/** As many as a batch and a chain can have, so that their ends take time. */
const LENGTH = 100;

/** The jobs at whose end the service is killed, while those after them still wait. */
const KILLS = [0, 10, 30, 60];

test('when the service is killed while the end of a job fails those after it, all fail, and the batch ends once', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const harness = await createFaultHarness();
  const env = { TELECINE_WEBHOOK_HOSTS: receiver.host };
  const first = await harness.start(env);
  await first.api.request('/api/webhooks', {
    body: { url: receiver.url('/ends'), events: ['batch.completed', 'batch.failed', 'batch.cancelled'] },
  });
  await first.api.request('/api/queue/pause', { method: 'POST' });
  const requests = Array.from({ length: LENGTH }, (_, index) => ({
    name: `${index}`,
    input: index === 0 ? 'in/none.wav' : `out/${index - 1}.m4a`,
    output: `out/${index}.m4a`,
    ...(index > 0 && { after: [`${index - 1}`] }),
  }));
  const { body } = await first.api.request<AcceptedBatchView>('/api/conversions', { body: { requests } });
  const ids = body.jobs.map(({ jobId }) => jobId);
  const statusOf = (index: number) => harness.row(ids[index] ?? '')?.['status'];
  await first.server.stop();

  let killedBetween = 0;
  for (const index of KILLS) {
    const { server, api } = await harness.start(env);
    await api.request('/api/queue/resume', { method: 'POST' });
    while (statusOf(index) !== 'FAILED') await new Promise((resolve) => setImmediate(resolve));
    await server.kill9('group');
    await server.exited;
    if (statusOf(LENGTH - 1) === 'PENDING') killedBetween += 1;
  }
  expect(killedBetween, 'kills before the last one had failed').toBeGreaterThan(0);

  const { api } = await harness.start(env);
  expect(await api.wait(ids.at(-1) ?? '')).toMatchObject({ status: 'FAILED', error: { code: 'DEPENDENCY_FAILED' } });
  const { body: batch } = await api.request<BatchView>(`/api/conversions/${body.batchId}`);
  expect(batch).toMatchObject({ status: 'FAILED', counts: { total: LENGTH, failed: LENGTH } });
  for (const [index, { error }] of batch.jobs.entries())
    expect(error?.code).toBe(index === 0 ? 'INPUT_NOT_FOUND' : 'DEPENDENCY_FAILED');
  const [event] = await waitUntil('the end of the batch', async () => {
    const events = receiver.received('/ends');
    return events.length > 0 ? events : undefined;
  });
  expect(event?.event).toMatchObject({ type: 'batch.failed', data: { batchId: body.batchId } });
  expect(new Set(receiver.received('/ends').map(({ id }) => id)).size).toBe(1);
});

test('when the service is killed right after a job is complete, the one after it runs', async () => {
  const harness = await createFaultHarness();
  const front = await harness.start({}, { args: ['--no-worker'] });
  const convert = { input: VOICE, parameters: { c: 'copy' } };
  const { body } = await front.api.request<AcceptedBatchView>('/api/conversions', {
    body: {
      requests: [
        { ...convert, name: 'first', output: 'out/first.mka' },
        { ...convert, input: 'out/first.mka', output: 'out/last.mka', after: ['first'] },
      ],
    },
  });
  const [first = '', last = ''] = body.jobs.map(({ jobId }) => jobId);
  await front.server.stop();
  await harness.crash('after-commit');
  expect(harness.row(first)).toMatchObject({ status: 'COMPLETED' });
  // The worker may have claimed it before the service was killed.
  expect(harness.row(last)).toMatchObject({ waiting_for: null });
  const { api } = await harness.start();
  expect(await api.wait(last)).toMatchObject({ status: 'COMPLETED' });
  await harness.expectNoLeftovers();
});
