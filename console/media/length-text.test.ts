import { expect, test } from 'vitest';
import { lengthText } from './length-text.ts';

test('the length of a file leaves out what is unknown', () => {
  const chapters = [{ startSeconds: 0, endSeconds: 10, tags: {} }];
  expect(lengthText({ format: { names: ['mov'], durationSeconds: 75, tags: {} }, streams: [], chapters })).toBe(
    '1:15, 1 chapter',
  );
  expect(lengthText({ format: { names: ['png_pipe'], tags: {} }, streams: [], chapters: [] })).toBe('');
});
