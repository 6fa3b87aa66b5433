// @module-tag long
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import type { AddedWebhookView } from '../../packages/contract/src/wire/webhook.ts';
import { needs } from '../support/needs.ts';
import { waitUntil } from '../support/wait.ts';
import { startReceiver, verifyEvent } from '../support/webhook-receiver.ts';
import { createFaultHarness } from './fault-harness.ts';

const test = needs('ffmpeg', 'linux');

const KILLS = 4;
const JOBS_PER_RUN = 12;

test('after kills at any time, the end of each job was delivered, and repeats have the same id', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const harness = await createFaultHarness();
  const env = { TELECINE_WEBHOOK_HOSTS: receiver.host, TELECINE_CONCURRENCY: '2' };
  /** Kills the service while the receiver holds the reply to some request. */
  let kill: (() => void) | undefined;
  let held: ServerResponse[] = [];
  receiver.answer('/ends', (_event, response) => {
    // Every third request is held until the service is dead, so that its outcome is unknown.
    if (kill !== undefined && receiver.received('/ends').length % 3 === 0) {
      held.push(response);
      if (held.length >= 2) kill();
    } else response.writeHead(204).end();
  });
  const jobs: string[] = [];
  let secret = '';
  for (let run = 0; run < KILLS; run += 1) {
    const { server, api } = await harness.start(env);
    if (run === 0)
      secret = (await api.request<AddedWebhookView>('/api/webhooks', { body: { url: receiver.url('/ends') } })).body
        .secret;
    kill = () => void server.kill9('group');
    const submissions = Array.from({ length: JOBS_PER_RUN }, async (_, i) => {
      jobs.push(await api.accept({ input: 'in/none.wav', output: `out/${run}-${i}.m4a` }));
    });
    await Promise.allSettled(submissions);
    await server.exited;
    kill = undefined;
    for (const response of held) response.destroy();
    held = [];
  }
  const { api } = await harness.start(env);
  const events = await waitUntil('the end of each job', async () => {
    const all = receiver.received('/ends');
    const told = new Set(all.map(({ event }) => event.data.jobId));
    return jobs.every((jobId) => told.has(jobId)) ? all : undefined;
  });
  expect(jobs.length).toBeGreaterThan(KILLS);
  expect(events.length, 'some were sent again').toBeGreaterThan(jobs.length);
  const idsOf = Map.groupBy(events, ({ event }) => event.data.jobId);
  for (const jobId of jobs) {
    const ofJob = idsOf.get(jobId) ?? [];
    expect(new Set(ofJob.map(({ id }) => id)).size, jobId).toBe(1);
    expect(new Set(ofJob.map(({ body }) => body)).size, jobId).toBe(1);
    expect(ofJob[0]?.event.data).toEqual(await api.job(jobId));
  }
  for (const event of events) expect(verifyEvent(event, secret)).toEqual(event.event);
});
