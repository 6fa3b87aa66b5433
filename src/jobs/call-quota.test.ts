import { expect, test } from 'vitest';
import { callQuota } from './call-quota.ts';

test('rejects calls over the limit of a client and over the total, until calls end', async () => {
  const quota = callQuota('probes', { perClient: 2, total: 3 });
  const end = Promise.withResolvers<void>();
  const calls = ['a', 'a', 'b'].map((client) => quota(client, () => end.promise));
  await expect(quota('a', async () => 1)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  await expect(quota('c', async () => 1)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
  end.resolve();
  await Promise.all(calls);
  expect(await quota('a', async () => 1)).toBe(1);
});

test('a call that fails no longer counts', async () => {
  const quota = callQuota('probes', { perClient: 1, total: 1 });
  await expect(quota('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await quota('a', async () => 1)).toBe(1);
});
