import { expect, test } from 'vitest';
import { concurrencyLimiter } from './concurrency-limiter.ts';

const NEVER = new AbortController().signal;

test('runs as many calls as allowed and queues the others', async () => {
  const limit = concurrencyLimiter('probes', { running: 1, perClient: 9, total: 9 });
  const first = Promise.withResolvers<void>();
  const steps: string[] = [];
  const a = limit('a', NEVER, async () => {
    steps.push('a starts');
    await first.promise;
    steps.push('a ends');
  });
  const b = limit('b', NEVER, async () => void steps.push('b'));
  first.resolve();
  await Promise.all([a, b]);
  expect(steps).toEqual(['a starts', 'a ends', 'b']);
});

test('rejects calls over the limit of a client and over the total', async () => {
  const limit = concurrencyLimiter('probes', { running: 1, perClient: 2, total: 3 });
  const end = Promise.withResolvers<void>();
  const calls = ['a', 'a', 'b'].map((client) => limit(client, NEVER, () => end.promise));
  await expect(limit('a', NEVER, async () => 1)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  await expect(limit('c', NEVER, async () => 1)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
  end.resolve();
  await Promise.all(calls);
  expect(await limit('a', NEVER, async () => 1)).toBe(1);
});

test('an aborted queued call does not run and no longer counts', async () => {
  const limit = concurrencyLimiter('probes', { running: 1, perClient: 1, total: 2 });
  const end = Promise.withResolvers<void>();
  const first = limit('a', NEVER, () => end.promise);
  const aborted = new AbortController();
  let ran = false;
  const second = limit('b', aborted.signal, async () => {
    ran = true;
  });
  aborted.abort(new Error('hung up'));
  end.resolve();
  await first;
  await expect(second).rejects.toThrow('hung up');
  expect(ran).toBe(false);
  expect(await limit('b', NEVER, async () => 2)).toBe(2);
});
