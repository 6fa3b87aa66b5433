import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { BUILT_IN } from './built-in/all.ts';

const gif = BUILT_IN.find(({ name }) => name === 'gif');

test.each([
  [{ width: 1e6 }, { nearest: { others: 'less' } }],
  [{ width: 0 }, { nearest: { others: 'more' } }],
  [{ width: 'wide' }, { message: expect.stringMatching(/must be a whole number from \d+ to \d+, not "wide"\.$/) }],
])('an argument with a wrong number has the range, and the nearest bound: %j', (sent, error) => {
  if (gif === undefined) throw new Error('There is a recipe for GIFs.');
  const errors: FieldError[] = [];
  readArguments(gif, sent, errors);
  expect(errors).toMatchObject([{ field: '/preset/arguments/width', code: 'BAD_ARGUMENT', ...error }]);
});

test('the middle of an input that states no duration is not called a wrong value', () => {
  const poster = BUILT_IN.find(({ name }) => name === 'poster');
  if (poster === undefined) throw new Error('There is a recipe for posters.');
  const errors: FieldError[] = [];
  readArguments(poster, { at: 'middle' }, errors);
  expect(errors).toMatchObject([
    { message: '"at" is a share of the duration, which the input does not state. It can be a time in seconds.' },
  ]);
  const none: FieldError[] = [];
  expect(readArguments(poster, { at: 'middle' }, none, 10).get('at')).toMatchObject({ text: '5' });
  expect(none).toEqual([]);
});
