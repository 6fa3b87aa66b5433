import { describe, expect, test, vi } from 'vitest';
import { createJobChanges, type JobChange } from './job-changes.ts';

const created = (jobId: string, clientId = 'amy'): JobChange => ({ kind: 'created', jobId, clientId });

function open() {
  const onListenerError = vi.fn<(error: unknown) => void>();
  return { changes: createJobChanges(onListenerError), onListenerError };
}

describe('job changes', () => {
  test('reach the subscribers of the job, of its client and of all jobs', () => {
    const { changes } = open();
    const seen = { job: [] as string[], client: [] as string[], all: [] as string[] };
    changes.subscribe({ jobId: 'a' }, ({ jobId }) => void seen.job.push(jobId));
    changes.subscribe({ clientId: 'amy' }, ({ jobId }) => void seen.client.push(jobId));
    changes.subscribe('all', ({ jobId }) => void seen.all.push(jobId));
    for (const change of [created('a'), created('b'), created('c', 'bob')]) changes.publish(change);
    expect(seen).toEqual({ job: ['a'], client: ['a', 'b'], all: ['a', 'b', 'c'] });
  });

  test('do not reach a subscriber that has unsubscribed', () => {
    const { changes } = open();
    const listener = vi.fn<(change: JobChange) => void>();
    const first = changes.subscribe('all', listener);
    changes.subscribe('all', listener);
    changes.publish(created('a'));
    expect(listener).toHaveBeenCalledTimes(2);
    first();
    first();
    changes.publish(created('b'));
    expect(listener).toHaveBeenCalledTimes(3);
  });

  test('reach the other subscribers although one throws and one rejects', async () => {
    const { changes, onListenerError } = open();
    const [thrown, rejected] = [new Error('thrown'), new Error('rejected')];
    changes.subscribe('all', () => {
      throw thrown;
    });
    changes.subscribe('all', () => Promise.reject(rejected));
    const listener = vi.fn<(change: JobChange) => void>();
    changes.subscribe('all', listener);
    changes.publish(created('a'));
    expect(listener).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(onListenerError.mock.calls).toEqual([[thrown], [rejected]]));
  });

  test('may unsubscribe other subscribers while they are published', () => {
    const { changes } = open();
    const stops: (() => void)[] = [];
    const listener = vi.fn<(change: JobChange) => void>(() => {
      for (const stop of stops) stop();
    });
    for (let i = 0; i < 3; i++) stops.push(changes.subscribe({ jobId: 'a' }, listener));
    changes.publish(created('a'));
    changes.publish(created('a'));
    expect(listener).toHaveBeenCalledTimes(3);
  });
});
