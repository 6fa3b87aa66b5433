import { expect, test } from 'vitest';
import { argumentLabel } from './argument-label.ts';

test.each([
  ['size', 'Size'],
  ['fontName', 'Font name'],
  ['fps', 'Frames per second'],
  ['fadeIn', 'Fade in'],
])('the argument %s is called %s', (name, label) => {
  expect(argumentLabel(name)).toBe(label);
});
