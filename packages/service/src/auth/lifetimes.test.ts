import { expect, test } from 'vitest';
import { previousHash } from './lifetimes.ts';

const UNTIL = '2026-01-31T12:00:00.000Z';
const END = Date.parse(UNTIL);

test('the secret before a rotation works until its end', () => {
  const previousSecret = { hash: 'sha256$x', until: UNTIL };
  expect(previousHash({ previousSecret }, END - 1)).toBe('sha256$x');
  expect(previousHash({ previousSecret }, END)).toBeUndefined();
  expect(previousHash({}, END)).toBeUndefined();
});

test('a secret that was replaced at once has no hash, also for a service whose clock is behind', () => {
  expect(previousHash({ previousSecret: { hash: '', until: UNTIL } }, END - 5000)).toBeUndefined();
});
