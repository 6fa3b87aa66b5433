import { expect, test } from 'vitest';
import { concurrencyLimiter } from './concurrency-limiter.ts';

const NEVER = new AbortController().signal;

test('so many run at once, the others wait', async () => {
  const take = concurrencyLimiter({ atOnce: 1, perClient: 9, inAll: 9 });
  const first = Promise.withResolvers<void>();
  const steps: string[] = [];
  const a = take('a', NEVER, async () => {
    steps.push('a begins');
    await first.promise;
    steps.push('a ends');
  });
  const b = take('b', NEVER, async () => void steps.push('b'));
  first.resolve();
  await Promise.all([a, b]);
  expect(steps).toEqual(['a begins', 'a ends', 'b']);
});

test('a client with too many, and all together, are told to come again', async () => {
  const take = concurrencyLimiter({ atOnce: 1, perClient: 2, inAll: 3 });
  const open = Promise.withResolvers<void>();
  const held = ['a', 'a', 'b'].map((client) => take(client, NEVER, () => open.promise));
  await expect(take('a', NEVER, async () => 1)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  await expect(take('c', NEVER, async () => 1)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
  open.resolve();
  await Promise.all(held);
  expect(await take('a', NEVER, async () => 1)).toBe(1);
});

test('who hangs up while waiting is not served, and gives the place back', async () => {
  const take = concurrencyLimiter({ atOnce: 1, perClient: 1, inAll: 2 });
  const open = Promise.withResolvers<void>();
  const first = take('a', NEVER, () => open.promise);
  const gone = new AbortController();
  let served = false;
  const second = take('b', gone.signal, async () => {
    served = true;
  });
  gone.abort(new Error('gone'));
  open.resolve();
  await first;
  await expect(second).rejects.toThrow('gone');
  expect(served).toBe(false);
  expect(await take('b', NEVER, async () => 2)).toBe(2);
});
