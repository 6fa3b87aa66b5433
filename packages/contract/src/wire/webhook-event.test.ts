import { expect, test } from 'vitest';
import { JOB_EVENTS, TEST_EVENT, WEBHOOK_EVENTS } from '../domain/webhook.ts';
import { WEBHOOK_REQUESTS } from './webhook-event.ts';

const EXAMPLES = Object.values(WEBHOOK_REQUESTS).flatMap(({ schema, examples }) =>
  Object.entries(examples).map(([type, example]) => [type, schema, example] as const),
);

test('each type of event has an example', () => {
  expect(EXAMPLES.map(([type]) => type).toSorted()).toEqual([...WEBHOOK_EVENTS, TEST_EVENT].toSorted());
});

test.each(EXAMPLES)('the example of %s has the members of its schema, and no others', (type, schema, example) => {
  expect(schema.parse(example)).toEqual(example);
  expect(example).toMatchObject({ type });
});

test('the example of the end of a job is of a job that has ended so', () => {
  const { examples } = WEBHOOK_REQUESTS.jobEnded;
  for (const type of JOB_EVENTS)
    expect(examples).toMatchObject({ [type]: { data: { status: type.replace('job.', '').toUpperCase() } } });
  for (const example of Object.values(examples))
    expect(example).not.toMatchObject({ data: { phase: expect.anything() } });
});

// The store decides it at the end of a job: `end` of `job-claims.ts`.
test('the examples of ended jobs have what the service sends', () => {
  const dataOf = (type: string) => Object(Object(WEBHOOK_REQUESTS.jobEnded.examples)[type]).data;
  // The progress of a completed job is written once more, without a speed.
  expect(dataOf('job.completed')).toMatchObject({ progress: 100, outputs: [{ path: 'movies/out.mp4' }] });
  for (const member of ['speed', 'fps', 'etaSeconds', 'error'])
    expect(dataOf('job.completed')).not.toHaveProperty(member);
  // A receiver shows what to do about the failure.
  expect(dataOf('job.failed')).toMatchObject({ error: { fix: expect.any(String) } });
  expect(dataOf('job.failed')).not.toHaveProperty('outputs');
  expect(dataOf('job.cancelled')).toMatchObject({ cancelRequestedAt: expect.any(String) });
  for (const data of ['completed', 'failed', 'cancelled'].map((end) => dataOf(`job.${end}`)))
    expect(data).toMatchObject({ attempt: 1, client: 'shop', phases: expect.anything() });
  const attention: unknown = Object(WEBHOOK_REQUESTS.watch.examples)['watch.needs_attention'];
  const { jobId, failure, changedAt, seenAt } = Object(attention).data.file;
  expect(jobId).toBe(dataOf('job.failed').jobId);
  expect(failure.fix).toBe(dataOf('job.failed').error.fix);
  // A file settles before its job begins.
  expect(Date.parse(changedAt) - Date.parse(seenAt)).toBeGreaterThan(10_000);
});
