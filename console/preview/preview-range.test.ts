import { expect, test } from 'vitest';
import {
  hasPlaceForKeyFrame,
  isMovable,
  lastStart,
  middleOf,
  nearestTo,
  partFrom,
  rangeOfWords,
  startOfCue,
  timeOfCue,
  timeOfFirstCue,
} from './preview-range.ts';

const WHOLE = { start: 0, end: 20 };
const PART = { start: 8, end: 14 };
const cue = (start: number, end: number, text = 'Hello.') => ({ start, end, text });

test('a preview begins in the middle of what is converted', () => {
  expect(partFrom(middleOf(WHOLE), WHOLE, 20)).toEqual({ at: 9, seconds: 3 });
  expect(partFrom(middleOf(PART), PART, 20)).toEqual({ at: 10, seconds: 3 });
});

test('a preview begins at the key frame nearest to the middle, if there is one in the part', () => {
  expect(nearestTo(9, [0, 8.341667, 12.512, 19.9], WHOLE)).toBe(8.341667);
  expect(nearestTo(12, [0, 8.341667, 12.512, 19.9], PART)).toBe(12.512);
  // One before the part, and one too near to its end.
  expect(nearestTo(10, [7.9, 13.5], PART)).toBe(10);
  expect(nearestTo(10, [], PART)).toBe(10);
  // The start of a video is often black.
  expect(nearestTo(9, [0], WHOLE)).toBe(9);
  expect(hasPlaceForKeyFrame(WHOLE)).toBe(true);
  // A short video, and one of unknown length.
  expect(hasPlaceForKeyFrame({ start: 0, end: 1.9 })).toBe(false);
  expect(hasPlaceForKeyFrame({ start: 0, end: 0 })).toBe(false);
});

test('a preview stays within the part that is converted, and is shorter at its end', () => {
  expect(partFrom(2, PART, 20).at).toBe(8);
  expect(partFrom(19, PART, 20)).toEqual({ at: 13, seconds: 1 });
  expect(partFrom(12.5, PART, 20)).toEqual({ at: 12.5, seconds: 1.5 });
  expect(lastStart(PART)).toBe(13);
  // The length that a file states may be a little short.
  expect(partFrom(19, WHOLE, 20)).toEqual({ at: 19, seconds: 3 });
});

test('a part that is as short as a preview has only one', () => {
  const short = { start: 5, end: 5.4 };
  expect(isMovable(short)).toBe(false);
  expect(isMovable(PART)).toBe(true);
  expect(partFrom(middleOf(short), short, 20)).toEqual({ at: 5, seconds: 0.4 });
});

test('a source of unknown length is shown from its start', () => {
  const unknown = { start: 0, end: 0 };
  expect(partFrom(middleOf(unknown), unknown, 0)).toEqual({ at: 0, seconds: 3 });
});

test('the first words within the part are seen, a little after they appear', () => {
  const cues = [cue(1, 2), cue(7, 9), cue(11, 12)];
  expect(timeOfFirstCue(cues, 0, WHOLE)).toBe(1.1);
  // It is already shown when the part begins.
  expect(timeOfFirstCue(cues, 0, PART)).toBe(8);
  expect(timeOfFirstCue(cues.slice(2), 0, PART)).toBe(11.1);
  expect(timeOfFirstCue(cues.slice(0, 1), 0, PART)).toBeUndefined();
  expect(timeOfFirstCue([cue(1, 2, ''), cue(12, 13), cue(10, 11)], 0, WHOLE)).toBe(10.1);
  expect(timeOfFirstCue(cues, 8, PART)).toBe(9.1);
});

test('a cue outside of the part, and one that is never shown, have no time', () => {
  expect(timeOfCue(cue(14, 15), 0, PART)).toBeUndefined();
  expect(timeOfCue(cue(2, 8), 0, PART)).toBeUndefined();
  expect(timeOfCue(cue(9, 9), 0, PART)).toBeUndefined();
  expect(timeOfCue(cue(9, 9.1), 0, PART)).toBe(9.05);
});

test('the preview of a cue begins a little before it, within the part', () => {
  expect(startOfCue(cue(11, 12), 0, PART)).toBe(10.5);
  expect(startOfCue(cue(3, 4), 8, PART)).toBe(10.5);
  expect(startOfCue(cue(8.2, 9), 0, PART)).toBe(8);
  expect(startOfCue(cue(0.2, 1), 0, WHOLE)).toBe(0);
  expect(startOfCue(cue(14, 15), 0, PART)).toBeUndefined();
});

test('a cue of a source of unknown length is in it', () => {
  const unknown = rangeOfWords({ start: 0, end: 0 }, 0);
  expect(timeOfCue(cue(100, 102), 0, unknown)).toBe(100.1);
  expect(timeOfFirstCue([cue(7, 9)], 0, unknown)).toBe(7.1);
  expect(partFrom(100.1, unknown, 0)).toEqual({ at: 100.1, seconds: 3 });
  expect(rangeOfWords(PART, 20)).toEqual(PART);
});
