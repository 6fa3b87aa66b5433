import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import { replaceLogicalNames } from './logical-input-names.ts';

const INPUTS = [
  { logical: 'in/0.mp4', path: 'holiday/day $1 & more.mp4' as MediaPath },
  { logical: 'in/1/%06d.png', path: 'frames/img%03d.png' as MediaPath },
];
const named = (message: string): string => replaceLogicalNames({ code: 'INPUT_INVALID', message }, INPUTS).message;

test('a message names an input by the client’s path', () => {
  expect(named('ffmpeg cannot read in/0.mp4: it is damaged.')).toBe(
    'ffmpeg cannot read "holiday/day $1 & more.mp4": it is damaged.',
  );
  expect(named('ffmpeg failed: file:in/0.mp4: Permission denied')).toBe(
    'ffmpeg failed: "holiday/day $1 & more.mp4": Permission denied',
  );
  expect(named("ffmpeg cannot read file 'file:in/0.mp4'.")).toBe(
    'ffmpeg cannot read file "holiday/day $1 & more.mp4".',
  );
  expect(named('The input in/1/%06d.png is empty.')).toBe('The input "frames/img%03d.png" is empty.');
});

test('text that names no input is unchanged', () => {
  expect(named('in/7.mp4 within/0.mp4 in/0.mp4')).toBe('in/7.mp4 within/0.mp4 "holiday/day $1 & more.mp4"');
});

test('the input that a failure is about gets its path too', () => {
  const of = (input: string) =>
    replaceLogicalNames({ code: 'INPUT_NOT_FOUND', message: 'It is gone.', about: { input } }, INPUTS).about;
  expect(of(INPUTS[0]?.logical ?? '')).toEqual({ input: INPUTS[0]?.path });
  expect(of('in/77.mp4')).toEqual({ input: 'in/77.mp4' });
});
