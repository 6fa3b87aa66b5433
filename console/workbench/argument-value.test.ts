import type { Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { plainValue, unitOf } from './argument-value.ts';

type Argument = Recipe['arguments'][string];

const number = (description: string, more: object = {}): Argument => ({
  ...{ type: 'number', min: 0, max: 1000, description },
  ...more,
});
const SIZE = number('The largest size.', { unit: 'MB' });
const SECONDS = number('Seconds in which it fades in. Default: none.', { unit: 's' });
const PERCENT = number('Its width in percent of the width of the large video.', { unit: '%' });
const BIT_RATE = number('The bit rate.', { unit: 'kbit/s' });
const UNKNOWN = number('The length in seconds.');
const TIME: Argument = { type: 'time', description: 'Where it ends.' };

test.each([
  [SIZE, '8 MB', '8'],
  [SIZE, '7,5mb', '7.5'],
  [SIZE, '8 GB', '8 GB'],
  [SIZE, '1,000', '1,000'],
  [SIZE, '', ''],
  [SIZE, '8.', '8.'],
  [SECONDS, '2 s', '2'],
  [SECONDS, '2 min', '2 min'],
  [PERCENT, '50 %', '50'],
  [PERCENT, '50 px', '50 px'],
  [BIT_RATE, '128k', '128'],
  [UNKNOWN, '2 s', '2 s'],
  [TIME, '17,5', '17.5'],
  [TIME, '1:02:03,25', '1:02:03.25'],
  [TIME, '1,2,3', '1,2,3'],
  [TIME, '1,500', '1,500'],
  [TIME, '0:01,500', '0:01.500'],
  [{ type: 'text', maxLength: 10, description: 'A text.' } satisfies Argument, '8 MB', '8 MB'],
])('sends what a person means by a number with its unit, or with a decimal comma (%#)', (argument, typed, sent) => {
  expect(plainValue(argument, typed)).toBe(sent);
});

test('a number has the unit that it declares', () => {
  expect([SIZE, SECONDS, PERCENT, TIME, UNKNOWN].map(unitOf)).toEqual(['MB', 's', '%', undefined, undefined]);
});
