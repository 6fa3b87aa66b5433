import { expect, test } from 'vitest';
import { badDuration, isDuration } from './duration-field.ts';

test.each([
  ['2.5', true],
  ['999999.999999', true],
  ['0', false],
  ['-1', false],
  ['100000000', false],
  ['1e9', false],
  ['1.0000001', false],
])('%s seconds: %s', (text, isOne) => {
  expect(isDuration(text)).toBe(isOne);
});

test('says what is allowed, also for a duration that is too long', () => {
  expect(badDuration('crossfade')).toEqual({
    code: 'BAD_DURATION',
    message: 'The crossfade must be a number of seconds above 0 and below 1000000, with at most 6 decimals.',
  });
});
