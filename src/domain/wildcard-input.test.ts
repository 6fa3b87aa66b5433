import { expect, test } from 'vitest';
import { wildcardAdvice } from './wildcard-input.ts';

test('says what wildcards in names of inputs need', () => {
  expect(wildcardAdvice('frames/f_*.png')).toMatchObject({ isSequence: true });
  expect(wildcardAdvice('frames/f_???.JPG')).toMatchObject({ isSequence: true });
  expect(wildcardAdvice('films/*.mp4')).toMatchObject({ isSequence: false });
  expect(wildcardAdvice('films*/a.mp4')).toBeUndefined();
});
