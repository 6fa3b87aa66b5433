import { expect, test } from 'vitest';
import { isForWish, withoutWish } from './wish.ts';
import { wishText } from './wish-text.ts';

test.each([
  ['gif of seconds 2 to 5', 'animated GIF, seconds 2 to 5'],
  ['fit in 8 MB at 720p', 'animated GIF, 8 MB, 720p'],
  ['cut the last 10 seconds', 'animated GIF, last 10 seconds'],
  ['cut a part, 1:20 to 1:30', 'animated GIF, 1:20 to 1:30'],
  ['smaller file', 'animated GIF'],
  ['', 'animated GIF'],
])('what "%s" says about times and sizes stays in another wish', (earlier, expected) => {
  expect(wishText('animated GIF', earlier)).toBe(expected);
  expect(wishText('animated GIF', wishText('louder', earlier))).toBe(expected);
});

test('a wish with values is still that wish, and leaves them behind', () => {
  expect(isForWish('louder, 6 dB', 'louder')).toBe(true);
  expect(isForWish('louder', 'louder')).toBe(true);
  expect(isForWish('louder please', 'louder')).toBe(false);
  expect(withoutWish('louder, 6 dB', 'louder')).toBe('6 dB');
  expect(withoutWish('louder', 'louder')).toBe('');
});
