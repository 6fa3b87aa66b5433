import { expect, test } from 'vitest';
import { DEFAULT_CONNECTIONS, readConnectionLimits } from './connection-limits.ts';

test('missing keys keep their defaults, and those that depend on the machine have none', () => {
  const defaults = { withoutTokenPerAddress: 256, bytesInFlight: 96 * 2 ** 20 };
  expect(readConnectionLimits('')).toEqual(defaults);
  expect(readConnectionLimits(DEFAULT_CONNECTIONS)).toEqual(defaults);
  expect(readConnectionLimits('all=2000, without-token=500')).toEqual({ ...defaults, all: 2000, withoutToken: 500 });
  expect(readConnectionLimits('bytes=64M,without-token-per-address=9')).toEqual({
    withoutTokenPerAddress: 9,
    bytesInFlight: 64 * 2 ** 20,
  });
});

test.each([
  'all',
  'all=0',
  'all=-1',
  'all=1e3',
  'all=10M',
  'every=5',
  'bytes=1M',
  'bytes=x',
  'bytes=',
  'without-token=1.5',
])('rejects "%s"', (text) => {
  expect(() => readConnectionLimits(text)).toThrow('must be a list such as all=2000');
});
