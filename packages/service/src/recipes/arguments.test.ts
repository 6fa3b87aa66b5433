import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { rangeFix, readArguments } from './arguments.ts';
import { BUILT_IN } from './built-in/all.ts';

const megabytes = { type: 'number', description: 'The size of the file.', min: 0.1, max: 100_000, unit: 'MB' } as const;
const pixels = { type: 'number', description: 'The height in pixels.', min: 16, max: 4320 } as const;

test('a number near a limit means the limit', () => {
  expect(rangeFix(pixels, 4400, 'a number').fix).toEqual('Send 4320.');
  expect(rangeFix(pixels, 12, 'a number').fix).toEqual('Send 16.');
});

test('a number far from the limits gets a question about its unit, and no limit', () => {
  expect(rangeFix(megabytes, 3_000_000, 'a number from 0.1 to 100000')).toEqual({
    about: 'the size of the file.',
    fix: 'If 3000000 is in bytes, send 3. If 3000000 is in kilobytes, send 3000. Else send a number from 0.1 to 100000.',
  });
  expect(rangeFix(pixels, 100_000, 'a number from 16 to 4320').fix).toEqual('Send a number from 16 to 4320.');
});

test('a number of an argument gets a question about its unit only if it declares the unit', () => {
  const { unit: _, ...undeclared } = { ...megabytes, description: 'The most megabytes.' };
  expect(rangeFix(undeclared, 3_000_000, 'a number').fix).toBe('Send a number.');
  const percent = { type: 'number', description: 'Its width.', min: 1, max: 100, unit: '%' } as const;
  expect(rangeFix(percent, 0.25, 'a number').fix).toBe('If 0.25 is in a share of 1, send 25. Else send a number.');
});

test('an argument that takes whole numbers gets one', () => {
  const kilobits = {
    type: 'number',
    description: 'The rate.',
    unit: 'kbit/s',
    min: 8,
    max: 320,
    integer: true,
  } as const;
  expect(rangeFix(kilobits, 128_500, 'a whole number from 8 to 320').fix).toMatch(
    /send 129\. Else send a whole number/,
  );
});

test('the middle of an input that states no duration is not called a wrong value', () => {
  const poster = BUILT_IN.find(({ name }) => name === 'poster');
  if (poster === undefined) throw new Error('There is a recipe for posters.');
  const errors: FieldError[] = [];
  readArguments(poster, { at: 'middle' }, errors);
  expect(errors).toMatchObject([{ message: '"at" is a share of the duration, which the input does not state.' }]);
  const none: FieldError[] = [];
  expect(readArguments(poster, { at: 'middle' }, none, 10).get('at')).toMatchObject({ text: '5' });
  expect(none).toEqual([]);
});
