import { expect, test } from 'vitest';
import { firstSentence } from './first-sentence.ts';

test.each([
  ['Converts to H.264. Use it if nothing else is asked for.', 'Converts to H.264.'],
  ['Scales to 1.5 times.', 'Scales to 1.5 times.'],
  ['Makes a GIF', 'Makes a GIF'],
  ['', ''],
])('%j begins with %j', (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence);
});
