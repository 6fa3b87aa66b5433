import { expect, test } from 'vitest';
import { placeOf, THUMBNAILS } from './strip-thumbnails.ts';

test('each upright thumbnail shows the middle of its frame, the first and the last too', () => {
  // In an image of height 1, frames of 16:9 are so wide, with the gaps between them.
  const width = (16 / 9) * 1.025;
  const middles = Array.from({ length: THUMBNAILS }, (_, index) => {
    const share = Number.parseFloat(placeOf(index, 16 / 9, 0.75)) / 100;
    return share * (THUMBNAILS * width - 0.75) + 0.75 / 2;
  });
  for (const [index, middle] of middles.entries()) expect(middle).toBeCloseTo((index + 0.5) * width, 6);
});
