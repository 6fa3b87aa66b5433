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
