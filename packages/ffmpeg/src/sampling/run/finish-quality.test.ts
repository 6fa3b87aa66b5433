import { expect, test } from 'vitest';
import { secondsOfVideo } from './measure-whole.ts';

const KNOWN = { seconds: 10, isKnown: true };
const ASSUMED = { seconds: 10, isKnown: false };

test.each<
  [
    what: string,
    frames: number | undefined,
    fps: number | undefined,
    source: typeof KNOWN,
    ofFile: number | undefined,
    seconds: number | undefined,
  ]
>([
  ['with longer audio', 250, 25, KNOWN, 20, 10],
  ['with a variable frame rate', 100, 60, KNOWN, 10, 10],
  ['that a filter makes faster', 125, 25, KNOWN, 5, 5],
  ['that a filter makes slower', 500, 25, KNOWN, 20.02, 20],
  ['of a source without a known end, with longer audio', 250, 25, ASSUMED, 20, 10],
  ['without a frame rate', 250, undefined, ASSUMED, 20, 20],
  ['of which nothing is known', undefined, undefined, ASSUMED, undefined, undefined],
])('the length of a video %s', (_what, frames, fps, source, ofFile, seconds) =>
  expect(secondsOfVideo({ frames, fps }, source, ofFile)).toBe(seconds),
);
