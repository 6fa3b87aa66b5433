import { expect, test } from 'vitest';
import { invalidRequest } from '../domain/problem.ts';
import { problemView } from './problem-view.ts';

const sizeOf = (errors: Parameters<typeof invalidRequest>[0]): number =>
  JSON.stringify(problemView(invalidRequest(errors), 'r')).length;

test('limits the size of a problem document, for long names and for many', () => {
  const long = '😀'.repeat(300_000);
  expect(sizeOf([{ field: `/${long}`, code: 'X', message: long, fix: long }])).toBeLessThan(10_000);
  const many = Array.from({ length: 10_000 }, (_, i) => ({ field: `/${i}`, code: 'X', message: 'No.' }));
  const view = problemView(invalidRequest(many), 'r');
  expect(view.errors).toHaveLength(50);
  expect(view.detail).toContain('The request has 10000 errors');
});

test('truncates long text without splitting a surrogate pair, and does not change short text', () => {
  const [cut] =
    problemView(invalidRequest([{ field: `/a${'😀'.repeat(200)}`, code: 'X', message: 'No.' }]), 'r').errors ?? [];
  expect(cut?.field.isWellFormed()).toBe(true);
  const whole = { field: '/a', code: 'X', message: 'No.', allowed: ['b'], fix: 'Send "b".' };
  expect(problemView(invalidRequest([whole]), 'r').errors).toEqual([whole]);
});
