import { beforeEach, expect, test, vi } from 'vitest';
import { createFailedAttempts } from './authenticate.ts';

beforeEach(() => void vi.useFakeTimers());

const limits = { perClientAndAddressAMinute: 3, perAddressAMinute: 5 };
const barred = expect.objectContaining({ code: 'RATE_LIMITED' });

test('blocks a client at an address with too many failures, for a minute', async () => {
  const failures = createFailedAttempts(limits);
  const who = { address: '192.0.2.1', clientId: 'studio' };
  for (let i = 0; i < 3; i += 1) {
    await failures.check(who);
    await failures.count(who);
  }
  await expect(failures.check(who)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
  await failures.check({ ...who, address: '192.0.2.2' });
  await failures.check({ ...who, clientId: 'other' });
  vi.advanceTimersByTime(59_000);
  await expect(failures.check(who)).rejects.toMatchObject({ retryAfterSeconds: 1 });
  vi.advanceTimersByTime(1000);
  await failures.check(who);
});

test('blocks an address that tries many client ids, for a minute', async () => {
  const failures = createFailedAttempts(limits);
  for (let i = 0; i < 5; i += 1) await failures.count({ address: '2001:db8::1', clientId: `c${i}` });
  await expect(failures.check({ address: '2001:db8::ffff', clientId: 'new' })).rejects.toMatchObject({
    retryAfterSeconds: 60,
  });
  await failures.check({ address: '2001:db8:0:1::1', clientId: 'new' });
  vi.advanceTimersByTime(60_000);
  await failures.check({ address: '2001:db8::1' });
});

test('counts by address only if the request has no client id', async () => {
  const failures = createFailedAttempts(limits);
  for (let i = 0; i < 5; i += 1) await failures.count({ address: '192.0.2.1' });
  await expect(failures.check({ address: '192.0.2.1' })).rejects.toEqual(barred);
});

test('does not block a client for an hour after a success, even if others at the address fail', async () => {
  const failures = createFailedAttempts(limits);
  const who = { address: '192.0.2.1', clientId: 'studio' };
  const fail = async (): Promise<void> => {
    for (let i = 0; i < 5; i += 1) await failures.count({ ...who, clientId: `c${i}` });
  };
  failures.succeeded(who);
  await fail();
  await failures.check(who);
  await expect(failures.check({ ...who, clientId: 'other' })).rejects.toEqual(barred);
  await failures.check({ ...who, address: '192.0.2.2' });
  vi.advanceTimersByTime(3600_001);
  await fail();
  await expect(failures.check(who)).rejects.toEqual(barred);
});
