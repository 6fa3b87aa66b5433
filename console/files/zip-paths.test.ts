import { expect, test } from 'vitest';
import { zipAddress, zipOfSelection } from './zip-paths.ts';

test('each path of a zip is a parameter of its own', () => {
  expect(zipAddress(['m/a b.mov', 'm/x&y/'])).toBe('/api/files.zip?path=m%2Fa+b.mov&path=m%2Fx%26y%2F');
});

test('a selection is sent as it is, and as its folder if all of it is selected', () => {
  expect(zipOfSelection(['m/a.mov', 'm/old/'], 3)).toEqual(['m/a.mov', 'm/old/']);
  expect(zipOfSelection(['m/a.mov', 'm/old/'], 2)).toEqual(['m/']);
  expect(zipOfSelection(['m/old/'], 1)).toEqual(['m/old/']);
  expect(zipOfSelection(['m/a.mov', 'm/old/'], undefined)).toEqual(['m/a.mov', 'm/old/']);
  // The media root has no zip of its own.
  expect(zipOfSelection(['a.mov', 'old/'], 2)).toEqual(['a.mov', 'old/']);
});

test('too many entries, or too long names, are not sent', () => {
  const many = Array.from({ length: 101 }, (_, i) => `m/${i}.mov`);
  expect(zipOfSelection(many, 200)).toBeUndefined();
  expect(zipOfSelection(many, 101)).toEqual(['m/']);
  const long = Array.from({ length: 50 }, (_, i) => `m/${i}${'x'.repeat(200)}.mov`);
  expect(zipOfSelection(long, 200)).toBeUndefined();
});
