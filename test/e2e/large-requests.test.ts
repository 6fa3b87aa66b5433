import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

/** Above it, a request is planned in a thread. */
const graph = Array.from({ length: 40 }, () => 'scale=w=640:h=360:flags=bicubic+accurate_rnd').join(',');
const outputs = Array.from({ length: 20 }, (_, index) => ({ output: `large/${index}.mp4` }));

test('plans a large request like a small one, and finds the same errors', async ({ expect }) => {
  const { own } = await start();
  const dryRun = (body: object) => own.request<DryRunView>('/api/conversion?dryRun=true', { body });
  const small = await dryRun({ input: 'in.mp4', outputs: outputs.slice(0, 1), parameters: { vf: graph } });
  const large = await dryRun({ input: 'in.mp4', outputs, parameters: { vf: graph } });
  expect(large).toMatchObject({ status: 200, body: { plan: { outputs: { length: outputs.length } } } });
  expect(large.body.plan.outputs[0]?.encoders).toEqual(small.body.plan.outputs[0]?.encoders);
  const wrong = await dryRun({ input: 'in.mp4', outputs, parameters: { vf: `${graph},scale=x=1` } });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ field: '/parameters/vf' }] } });
});

test('accepts a large request, also in a batch', async ({ expect }) => {
  const { own } = await start();
  const request = { input: 'in.mp4', outputs, parameters: { vf: graph } };
  expect(await own.request('/api/conversion', { body: request })).toMatchObject({ status: 202 });
  const body = { requests: [request, { input: 'in.mp4', output: 'other.mp4' }] };
  expect(await own.request('/api/conversions', { body })).toMatchObject({ status: 202 });
});

test('rejects more large requests of a client than it may have at once, and says when to retry', async ({ expect }) => {
  const { server } = await start();
  const client = await login(server.url, await insertClient(server, 'many'));
  const body = { input: 'in.mp4', outputs, parameters: { vf: graph } };
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => client.request('/api/conversion?dryRun=true', { body })),
  );
  const rejected = answers.filter(({ status }) => status !== 200);
  expect(rejected.length).toBeLessThan(answers.length);
  for (const { status, body: problem, headers } of rejected) {
    expect({ status, code: problem.code }).toEqual({ status: 429, code: 'RATE_LIMITED' });
    expect(headers.get('retry-after')).toBe('2');
  }
});
