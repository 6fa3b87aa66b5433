import { expect, test } from 'vitest';
import { mergeClientLimits } from './client-limits.ts';

test('a client has the limits of all but for its own, and may have none where all have one', () => {
  const policy = mergeClientLimits({ pixels: 100, threads: 8 }, { threads: 2, pixels: null, cpu: 5, time: undefined });
  expect(policy).toEqual({ threads: 2, cpu: 5 });
  expect(Object.isFrozen(policy)).toBe(true);
  expect(mergeClientLimits({ threads: 8 }, { threads: undefined })).toEqual({ threads: 8 });
});
