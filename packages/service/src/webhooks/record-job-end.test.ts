import { expect, test } from 'vitest';
import type { EventStorage } from './ports/outbox.ts';
import { type RecordEventDeps, recordEvent } from './record-job-end.ts';

/** Records an event. `storage`: what the outbox does with it. Returns the reports of `onOverLimit`. */
async function record(storage: EventStorage, callbackUrl: string | undefined) {
  const reports: string[] = [];
  const outbox: RecordEventDeps['outbox'] = { insert: async () => storage };
  const deps = { outbox, onOverLimit: (client: string, what: string) => void reports.push(`${client} ${what}`) };
  const event = { clientId: 'amy', jobId: 'job', event: 'job.failed', at: '2026-11-21T10:00:00.000Z' } as const;
  const content = () =>
    ({ type: 'webhook.test', timestamp: event.at, data: { webhookId: 'hook', client: 'amy' } }) as const;
  await recordEvent(deps, undefined as never, { ...event, content, endpoints: [], callbackUrl });
  return reports;
}

test('reports a client whose events are given up or not stored', async () => {
  const url = 'https://example.org';
  expect(await record('DUE', url)).toEqual([]);
  expect(await record('GIVEN_UP', url)).toEqual(['amy GIVEN_UP']);
  expect(await record('NOT_STORED', url)).toEqual(['amy NOT_STORED']);
  expect(await record('NOT_STORED', undefined), 'nobody is told').toEqual([]);
});
