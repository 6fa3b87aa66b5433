import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { ApiClient } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { songClient } from '../support/song-client.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

const client = async (name: string) => songClient((await start()).server, name);

const copy = (input: string, output: string, after?: readonly string[]) => ({
  input,
  output,
  parameters: { c: 'copy' },
  ...(after && { after }),
});
const submit = (own: ApiClient, body: object) => own.request<AcceptedView>('/api/conversion', { body });
/** A job that runs until it is cancelled. */
const endless = (output: string) => ({
  input: 'song.mp3',
  output,
  parameters: { stream_loop: '-1', 'c:a': 'flac' },
});

test('converts what other jobs create, in their order, without a warning about missing inputs', async ({ expect }) => {
  const { own } = await client('chain');
  const first = await own.accept(copy('song.mp3', 'one.mka'));
  const second = await submit(own, copy('one.mka', 'two.mka', [first]));
  expect(second).toMatchObject({ status: 202 });
  expect(second.body).not.toHaveProperty('warnings');
  const third = await submit(own, { ...copy('two.mka', 'three.mka', [second.body.jobId]) });
  expect(third.body).not.toHaveProperty('warnings');
  // The grandparent's output is not missing either.
  const fourth = await submit(own, { inputs: ['one.mka', 'gone.mka'], output: 'four.mka', after: [third.body.jobId] });
  expect(fourth.body.warnings?.filter(({ code }) => code === 'INPUT_NOT_FOUND')).toMatchObject([
    { field: '/inputs/1', code: 'INPUT_NOT_FOUND' },
  ]);
  const last = await own.wait(third.body.jobId);
  expect(last).toMatchObject({ status: 'COMPLETED', after: [second.body.jobId] });
  expect(last).not.toHaveProperty('waitingFor');
  const before = await own.job(second.body.jobId);
  expect(Date.parse(last.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(before.completedAt ?? ''));
});

test('shows what a job waits for, and fails it with those after it if that job is cancelled', async ({ expect }) => {
  const { own } = await client('waits');
  const first = await own.accept(endless('endless.mka'));
  const reply = await submit(own, copy('endless.mka', 'b.mka', [first.toUpperCase()]));
  expect(reply.body).toMatchObject({
    status: 'PENDING',
    message: `The job is queued for processing. It starts when job ${first} is complete.`,
    waitingFor: [first],
  });
  const second = reply.body.jobId;
  const third = await own.accept(copy('b.mka', 'c.mka', [first, second]));
  expect(await own.job(third)).toMatchObject({
    status: 'PENDING',
    after: [first, second],
    waitingFor: [first, second],
  });
  await own.request(`/api/conversion/${first}/cancel`, { method: 'POST' });
  expect(await own.wait(second)).toMatchObject({
    status: 'FAILED',
    error: {
      code: 'DEPENDENCY_FAILED',
      message: `This job waited for job ${first}, which was cancelled.`,
      fix: `For job ${first}: run the job again. Then send the request of this job again, with the id of the new one in "after".`,
    },
  });
  expect(await own.wait(third)).toMatchObject({ status: 'FAILED', error: { code: 'DEPENDENCY_FAILED' } });
  // A retry waits only for what can still be complete.
  const again = await own.request<AcceptedView>(`/api/conversion/${second}/retry`, { method: 'POST' });
  expect(again.status).toBe(202);
  expect(again.body.warnings).toContainEqual(
    expect.objectContaining({ code: 'DEPENDENCY_FAILED', message: expect.stringContaining(first) }),
  );
  expect(await own.wait(again.body.jobId)).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_NOT_FOUND' } });
});

test('rejects jobs after unknown jobs, failed jobs and jobs of other clients', async ({ expect }) => {
  const { own } = await client('rejected');
  const { own: other } = await client('other');
  const failed = await own.run(copy('none.mp3', 'a.mka'));
  const foreign = await other.accept(copy('song.mp3', 'a.mka'));
  const errorsOf = async (after: unknown) => {
    const { status, body } = await own.request('/api/conversion', { body: { ...copy('song.mp3', 'x.mka'), after } });
    return { status, errors: body.errors };
  };
  expect(await errorsOf([failed.jobId])).toMatchObject({
    status: 400,
    errors: [{ field: '/after/0', code: 'DEPENDENCY_FAILED' }],
  });
  expect(await errorsOf([foreign])).toMatchObject({
    status: 400,
    errors: [{ field: '/after/0', code: 'UNKNOWN_JOB' }],
  });
  expect(await errorsOf(['encode'])).toMatchObject({ status: 400, errors: [{ field: '/after/0' }] });
  expect(await errorsOf([])).toMatchObject({ status: 400, errors: [{ field: '/after', code: 'EMPTY' }] });
  expect(await errorsOf(foreign)).toMatchObject({ status: 400, errors: [{ field: '/after', code: 'WRONG_TYPE' }] });
});

test('a queued job that waits is cancelled at once', async ({ expect }) => {
  const { own } = await client('cancelled');
  const first = await own.accept(endless('endless.mka'));
  const second = await own.accept(copy('endless.mka', 'b.mka', [first]));
  const cancel = (jobId: string) => own.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  expect((await cancel(second)).body).toMatchObject({ status: 'CANCELLED' });
  expect(await own.job(first)).not.toMatchObject({ status: 'CANCELLED' });
  await cancel(first);
  expect(await own.wait(first)).toMatchObject({ status: 'CANCELLED' });
});
