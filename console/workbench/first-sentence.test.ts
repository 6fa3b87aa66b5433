import { expect, test } from 'vitest';
import { firstSentence, purposeOf } from './first-sentence.ts';

test.each([
  ['Converts to H.264. Use it if nothing else is asked for.', 'Converts to H.264.'],
  ['Scales to 1.5 times.', 'Scales to 1.5 times.'],
  ['Makes a GIF', 'Makes a GIF'],
  ['', ''],
])('%j begins with %j', (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence);
});

test('cards of recipes do not all begin with the same words', () => {
  expect(purposeOf('Converts a video to an MP4 that plays in every browser. Use it first.')).toBe(
    'MP4 that plays in every browser.',
  );
  expect(purposeOf('Cuts a part out of a video.')).toBe('Cuts a part out of a video.');
});
