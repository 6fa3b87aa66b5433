import { expect, test } from 'vitest';
import { samplesText } from './samples-text.ts';

test('says which sample is tried, also when all were tried and nothing else has begun', () => {
  expect(samplesText({ choose: 'frameSize', done: 1, total: 12 })).toBe('Trying frame sizes, 2 of 12');
  expect(samplesText({ choose: 'quality', done: 0, total: 6 })).toBe('Trying qualities, 1 of 6');
  expect(samplesText({ choose: 'ladder', done: 6, total: 6 })).toBe('Trying versions, 6 of 6');
});
