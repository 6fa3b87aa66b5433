import { expect, test } from 'vitest';
import { soundChange } from './sound-change.ts';

const sound = (...channels: number[]) => ({
  streams: channels.map((count, index) => ({ index, type: 'audio' as const, codec: 'aac', channels: count })),
});
const planned = (...channels: number[]) =>
  channels.map((count) => ({ type: 'audio' as const, codec: 'aac', isCopied: false, channels: count }));

test('an output with fewer channels than its source says so', () => {
  expect(soundChange(planned(2), sound(6) as never)).toBe('5.1 sound becomes stereo');
  expect(soundChange(planned(1), sound(2, 2) as never)).toBe('stereo sound becomes mono');
  expect(soundChange(planned(2), sound(16) as never)).toBe('16-channel sound becomes stereo');
});

test('sound that stays, that is gone or of which nothing is known is not mentioned', () => {
  expect(soundChange(planned(6), sound(6) as never)).toBeUndefined();
  expect(soundChange(planned(), sound(6) as never)).toBeUndefined();
  expect(soundChange(undefined, sound(6) as never)).toBeUndefined();
  expect(soundChange(planned(2), undefined)).toBeUndefined();
  // Which of two tracks is converted is not known here.
  expect(soundChange(planned(2), sound(2, 6) as never)).toBeUndefined();
});
