import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { ApiClient } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { sampled } from '../support/sampled.ts';
import { createFaultHarness, type FaultHarness, type RunningService, VOICE } from './fault-harness.ts';

const test = needs('ffmpeg', 'linux');
const NO_WORKER = { args: ['--no-worker'], until: 'listening' } as const;

const request = (name: string) => ({ input: VOICE, output: `out/${name}.m4a` });

/** The running service. A test that ends it starts the next one on the same folders. */
let current: Promise<readonly [FaultHarness, RunningService]> | undefined;
const currentService = (): Promise<readonly [FaultHarness, RunningService]> => {
  current ??= createFaultHarness().then(async (harness) => [harness, await harness.start({}, NO_WORKER)]);
  return current;
};
async function restart(harness: FaultHarness): Promise<RunningService> {
  const next = harness.start({}, NO_WORKER);
  current = next.then((one) => [harness, one]);
  return next;
}

test('after a kill during 60 concurrent submissions, every job with a 202 is on disk', async () => {
  const [harness, first] = await currentService();
  const accepted: string[] = [];
  let { server, api } = first;
  for (const enough of sampled([7, 1, 40], 3)) {
    const before = accepted.length;
    const calls = Array.from({ length: 60 }, async (_, i) => {
      accepted.push(await api.accept(request(`${enough}-${i}`)));
      if (accepted.length === before + enough) process.kill(-server.pid, 'SIGKILL');
    });
    await Promise.allSettled(calls);
    expect((await server.exited).signal).toBe('SIGKILL');
    expect(accepted.length).toBeGreaterThanOrEqual(before + enough);
    for (const jobId of accepted.slice(before))
      expect(harness.row(jobId), `killed after ${enough}`).toMatchObject({ status: 'PENDING', attempt: 0 });

    ({ server, api } = await restart(harness));
    expect(await api.job(String(accepted.at(-1)))).toMatchObject({ status: 'PENDING', attempt: 0 });
  }
  for (const jobId of accepted) expect(await api.job(jobId)).toMatchObject({ jobId, status: 'PENDING', attempt: 0 });
});

test('concurrent requests with one Idempotency-Key create one job, also across a crash; another body is rejected', async () => {
  const [harness, { server, api }] = await currentService();
  const submission = request('same-key');
  const headers = { 'idempotency-key': randomUUID() };
  const submit = (by: ApiClient) => by.request<AcceptedView>('/api/conversion', { body: submission, headers });
  const submitAtOnce = (by: ApiClient) => Array.from({ length: 20 }, () => submit(by));
  const before = submitAtOnce(api);
  const first = await Promise.race(before);
  await server.kill9('group');
  const next = await restart(harness);
  const all = await Promise.allSettled([...before, ...submitAtOnce(next.api)]);
  const answers = all.filter((each) => each.status === 'fulfilled');
  expect(answers.length).toBeGreaterThan(20);
  expect(new Set(answers.map(({ value }) => value.status))).toEqual(new Set([202]));
  expect(new Set(answers.map(({ value }) => value.body.jobId))).toEqual(new Set([first.body.jobId]));
  expect(await next.api.request('/api/conversion', { body: request('b'), headers })).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_CONFLICT', detail: expect.stringContaining(first.body.jobId) },
  });
  const { jobs } = await next.api.list('?limit=200');
  expect(jobs.filter(({ output }) => output === submission.output)).toHaveLength(1);
});

test('a second service on the same data folder does not start and says why; the first continues', async () => {
  const [harness, { api }] = await currentService();
  const second = await runCli(['serve'], {
    TELECINE_DATA_DIR: harness.dataDir,
    TELECINE_MEDIA_ROOT: harness.mediaRoot,
    TELECINE_PORT: '0',
  });
  expect(second.code).toBe(1);
  expect(second.stdout + second.stderr).toContain('Another telecine is serving from the data folder');
  expect(second.stdout + second.stderr).toContain('TELECINE_DATA_DIR');
  await api.accept(request('by the first'));
});
