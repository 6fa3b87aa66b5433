import { expect, test } from 'vitest';
import { isAtControl, rightValue } from './field-place.ts';

test('an error is at the control of its field, or of a list that it is in', () => {
  expect(isAtControl('/clientId', 'clientId')).toBe(true);
  expect(isAtControl('/limits/jobs', 'limits.jobs')).toBe(true);
  expect(isAtControl('/scopes/0', 'scopes')).toBe(true);
});

test('an error is not at a control whose name only begins alike, or that is a part of its field', () => {
  expect(isAtControl('/clientIds', 'clientId')).toBe(false);
  expect(isAtControl('/limits', 'limits.jobs')).toBe(false);
});

test('the value that an error says to send can be put into its control', () => {
  const path = '/clientId';
  expect(rightValue({ apply: [{ op: 'replace', path, value: 'shop' }] }, 'clientId')).toBe('shop');
  expect(rightValue({ apply: [{ op: 'replace', path, value: 'shop' }] }, 'root')).toBeUndefined();
  expect(rightValue({ apply: [{ op: 'remove', path }] }, 'clientId')).toBeUndefined();
  expect(rightValue({}, 'clientId')).toBeUndefined();
});
