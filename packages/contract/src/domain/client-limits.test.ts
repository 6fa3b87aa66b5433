import { expect, test } from 'vitest';
import { mergeClientLimits, outputLifetime } from './client-limits.ts';

test('the limits of a client override the defaults, and null removes one', () => {
  const policy = mergeClientLimits({ pixels: 100, threads: 8 }, { threads: 2, pixels: null, cpu: 5, time: undefined });
  expect(policy).toEqual({ threads: 2, cpu: 5 });
  expect(Object.isFrozen(policy)).toBe(true);
  expect(mergeClientLimits({ threads: 8 }, { threads: undefined })).toEqual({ threads: 8 });
});

test('outputs are removed after the shorter time of the request and the client', () => {
  expect(outputLifetime({ expiresAfterSeconds: 60 }, { retention: 3600 })).toBe(60);
  expect(outputLifetime({ expiresAfterSeconds: 7200 }, { retention: 3600 })).toBe(3600);
  expect(outputLifetime({}, { retention: 3600 })).toBe(3600);
  expect(outputLifetime({ expiresAfterSeconds: 60 }, {})).toBe(60);
  expect(outputLifetime({}, {})).toBeUndefined();
});
