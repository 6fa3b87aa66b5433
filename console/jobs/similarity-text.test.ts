import { expect, test } from 'vitest';
import { similarityText } from './similarity-text.ts';

test.each([
  [1, 'SSIM 1.000: looks like the source'],
  [0.9504, 'SSIM 0.950: close to the source'],
  [0.92, 'SSIM 0.920: visibly different from the source'],
  [0.4, 'SSIM 0.400: very different from the source'],
])('%d is written %s', (ssim, text) => {
  expect(similarityText(ssim)).toBe(text);
});
