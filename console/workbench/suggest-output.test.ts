import { expect, test } from 'vitest';
import { suggestOutput } from './suggest-output.ts';

test('the output is beside the input and has another name', () => {
  expect(suggestOutput('films/in.mov', 'mp4')).toBe('films/in.mp4');
  expect(suggestOutput('films/in.mp4', 'mp4')).toBe('films/in-converted.mp4');
  expect(suggestOutput('v1.2/in', 'webm')).toBe('v1.2/in.webm');
});

test('the output of something from elsewhere is in the media root', () => {
  expect(suggestOutput('https://example.com/a/My%20film.mov?token=1', 'mp4')).toBe('My film.mp4');
  expect(suggestOutput('s3://bucket/a/b.mov', 'mp4')).toBe('b.mp4');
  expect(suggestOutput(undefined, 'mp4')).toBe('output.mp4');
});

test('the name says what is done, and never replaces the input', () => {
  const words = { values: '8MB', instead: 'target-size' };
  expect(suggestOutput('films/in.mp4', 'mp4', words)).toBe('films/in-8MB.mp4');
  expect(suggestOutput('in.mp4', 'mp4', { values: '', instead: 'reverse' })).toBe('in-reverse.mp4');
  expect(suggestOutput('in.mov', 'mp4', { values: '', instead: 'reverse' })).toBe('in.mp4');
});
