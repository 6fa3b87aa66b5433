import { expect, test } from 'vitest';
import { JobFailed } from '../../domain/failure.ts';
import type { PublishIntent } from '../ports/publishing.ts';
import { unpublishFiles } from './unpublish-files.ts';

const intent: PublishIntent = { scratch: 'job.1', outputs: [], engine: 'test', version: 1, data: undefined };
const outage = new JobFailed({ code: 'STORAGE_FAULT', message: 'The object store cannot be reached.' });

/** Media whose first calls fail. */
function failing(error: Error, times: number) {
  const calls: PublishIntent[] = [];
  return {
    calls,
    unpublish: async (called: PublishIntent) => {
      calls.push(called);
      if (calls.length <= times) throw error;
    },
  };
}

test('waits until the storage can be reached', async () => {
  const media = failing(outage, 1);
  await unpublishFiles(media, intent, new AbortController().signal);
  expect(media.calls).toEqual([intent, intent]);
});

test.each([
  ['a fault that a retry does not fix', new JobFailed(outage.failure, undefined, true)],
  ['an error of the service', new Error('a defect')],
])('does not wait for %s', async (_title, error) => {
  const media = failing(error, 1);
  await expect(unpublishFiles(media, intent, new AbortController().signal)).rejects.toBe(error);
  expect(media.calls).toHaveLength(1);
});

test('an abort ends the wait; then it tries one last time', async () => {
  const stop = new AbortController();
  const media = failing(outage, 5);
  const unpublished = unpublishFiles(media, intent, stop.signal);
  queueMicrotask(() => stop.abort());
  await expect(unpublished).rejects.toBe(outage);
  expect(media.calls).toHaveLength(2);
});
