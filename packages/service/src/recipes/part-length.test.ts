import { expect, test } from 'vitest';
import { partLength } from './part-length.ts';

test.each([
  [{ t: '20' }, undefined, 20],
  [{ ss: '10', t: '20' }, undefined, 20],
  [{ ss: '5', to: '15' }, { ss: '10' }, 10],
  [{ t: '90' }, { ss: '10' }, 50],
])('the options %j of the output choose a part too', (output, input, seconds) => {
  expect(partLength(60, input, output)).toBe(seconds);
});

test.each([
  [undefined, 60],
  [{ r: '25' }, 60],
  [{ ss: '10' }, 50],
  [{ ss: '0:10', to: '0:25.5' }, 15.5],
  [{ to: '90' }, 60],
  [{ ss: '70' }, 60],
  [{ ss: 'soon', t: 'long' }, 60],
  [{ sseof: '-10' }, 10],
  [{ sseof: '-10', t: '4' }, 4],
])('of a film of a minute with the options %j, %d seconds are converted', (options, seconds) => {
  expect(partLength(60, options)).toBe(seconds);
});
