import { expect, test } from 'vitest';
import type { MediaPath } from './media-path.ts';
import { cueCount, trackName, trackText } from './thumbnail-track.ts';

const SHEET = 'sprites/my film.jpg' as MediaPath;
const TRACK = { everySeconds: 2.5, durationSeconds: 6, columns: 2, rows: 2 };

test('the cues follow each other from the beginning to the end, row by row', () => {
  expect(trackText(TRACK, SHEET, { width: 320, height: 180 })).toBe(`WEBVTT

00:00:00.000 --> 00:00:02.500
my%20film.jpg#xywh=0,0,160,90

00:00:02.500 --> 00:00:05.000
my%20film.jpg#xywh=160,0,160,90

00:00:05.000 --> 00:00:06.000
my%20film.jpg#xywh=0,90,160,90
`);
});

test('times of more than an hour have hours', () => {
  const long = { everySeconds: 3600, durationSeconds: 4000.25, columns: 1, rows: 2 };
  expect(trackText(long, SHEET, { width: 100, height: 100 })).toContain('01:00:00.000 --> 01:06:40.250');
});

test.each([
  [6, 2, 3],
  [0.3, 0.1, 3],
  [6.1, 2, 4],
  [0.5, 2, 1],
])('a film of %d s has with a picture every %d s %d cues', (durationSeconds, everySeconds, count) => {
  expect(cueCount({ ...TRACK, durationSeconds, everySeconds })).toBe(count);
});

test('the track is named after the sheet', () => {
  expect(trackName(SHEET)).toBe('my film.vtt');
});
