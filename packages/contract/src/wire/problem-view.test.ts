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
  expect(view.detail).toContain('The request has more than 50 errors: these are the first 50');
});

test('truncates long text without splitting a surrogate pair, and does not change short text', () => {
  const [cut] =
    problemView(invalidRequest([{ field: `/a${'😀'.repeat(200)}`, code: 'X', message: 'No.' }]), 'r').errors ?? [];
  expect(cut?.field.isWellFormed()).toBe(true);
  const whole = { field: '/a', code: 'X', message: 'No.', allowed: ['b'], fix: 'Send "b".' };
  expect(problemView(invalidRequest([whole]), 'r').errors).toEqual([whole]);
});

test('says where a value is wrong, if the body has that text there', () => {
  const at = { offset: 4, length: 2 };
  const errors = [{ field: '/parameters/vf', code: 'X', message: 'No.', at }];
  const placeIn = (body: unknown) => problemView(invalidRequest(errors), 'r', body).errors?.[0]?.at;
  expect(placeIn({ parameters: { vf: 'fps=25' } })).toEqual(at);
  expect(placeIn({ parameters: { vf: ['fps=25'] } })).toEqual(at);
  // There is no place if the value is missing, has changed, is one of several, or is not a text.
  for (const vf of [undefined, 'fps=2', ['fps=25', 'hflip'], 25])
    expect(placeIn({ parameters: { vf } })).toBe(undefined);
  expect(placeIn(undefined)).toBe(undefined);
});
