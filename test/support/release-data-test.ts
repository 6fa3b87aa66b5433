import { expect, onTestFinished } from 'vitest';
import type { BatchView } from '../../packages/contract/src/wire/batch.ts';
import { INPUT, type ReleaseFacts, UNDELIVERED } from '../../scripts/release-data/released-data.ts';
import { clientWithToken, login, obtainTokens, sendRequest } from './api-client.ts';
import { putClip } from './media.ts';
import type { TestServer } from './server.ts';
import { waitUntil } from './wait.ts';
import { verifyEvent, type WebhookReceiver } from './webhook-receiver.ts';

/** The settings of a service that goes on with the data of an earlier one. */
export const upgradeEnv = (receiver: WebhookReceiver) => ({
  TELECINE_CONCURRENCY: '2',
  TELECINE_WEBHOOK_HOSTS: receiver.host,
});

/** Shorter than the recorded input, so that the jobs that were left take less time. */
export const putInput = (mediaRoot: string): Promise<string> => putClip(mediaRoot, '480p', 3, INPUT);

/** Asserts that a service has all that an earlier one knew when it was killed, and that it does what was left to do. */
export async function expectUpgraded(
  server: TestServer,
  facts: ReleaseFacts,
  receiver: WebhookReceiver,
): Promise<void> {
  onTestFinished(() => receiver.close());
  const admin = await login(server.url, facts.admin);
  const client = await login(server.url, facts.client);

  for (const job of facts.ended) expect(await client.job(job.jobId)).toMatchObject(job);
  expect((await admin.request(`/api/clients/${facts.client.clientId}`)).body).toMatchObject(facts.clientView);
  expect((await client.request(`/api/recipes/${facts.recipe.name}`)).body).toMatchObject(facts.recipe);
  const refreshed = await sendRequest<{ accessToken: string }>(server.url, '/api/auth/refresh', {
    body: { refreshToken: facts.refreshToken },
  });
  expect(refreshed.status, 'a refresh token of before').toBe(200);
  const again = clientWithToken(server.url, refreshed.body.accessToken);

  for (const { key, request, jobId } of facts.keys) {
    const headers = { 'idempotency-key': key };
    expect(await again.accept(request, headers), key).toBe(jobId);
    const other = await again.request('/api/conversion', { body: { ...request, output: 'other.mp4' }, headers });
    expect(other, key).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } });
  }

  expect(await client.wait(facts.running), 'the job that ran').toMatchObject({ status: 'COMPLETED', attempt: 2 });
  for (const jobId of facts.queued)
    expect(await client.wait(jobId), 'a queued job').toMatchObject({ status: 'COMPLETED', attempt: 1 });
  const { body: batch } = await client.request<BatchView>(`/api/conversions/${facts.batch}`);
  expect(batch).toMatchObject({ status: 'COMPLETED', counts: { total: 2, completed: 2 } });

  const ends = [...facts.undelivered, facts.running, ...facts.queued].toSorted();
  const eventsOf = () => receiver.received(UNDELIVERED).filter(({ event }) => event.data.jobId !== undefined);
  await waitUntil('the events of all jobs', async () => eventsOf().length >= ends.length || undefined);
  expect(
    eventsOf()
      .map(({ event }) => event.data.jobId)
      .toSorted(),
  ).toEqual(ends);
  for (const event of eventsOf()) expect(verifyEvent(event, facts.webhookSecret)).toEqual(event.event);

  // The list has the recorded jobs and a new one, newest first.
  const jobId = await client.accept({ input: 'in.mp4', output: 'new.mp4', parameters: { c: 'copy', t: '1' } });
  expect(await client.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  const known = [jobId, facts.running, ...facts.queued, ...facts.ended.map((job) => job.jobId)];
  const { jobs } = await client.list('?limit=100');
  expect(jobs[0]?.jobId).toBe(jobId);
  expect(jobs.map((job) => job.jobId).toSorted()).toEqual(known.toSorted());
  expect((await obtainTokens(server.url, facts.client)).tokenType).toBe('Bearer');
}
