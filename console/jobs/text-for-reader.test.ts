import { expect, test } from 'vitest';
import { textForReader } from './text-for-reader.ts';

const TEXT = 'Input "in.mp4" does not exist in your media root.';

test('an error about a file names whose folder is meant, unless it is the folder of the reader', () => {
  expect(textForReader(TEXT, 'newsroom', 'newsroom')).toBe(TEXT);
  expect(textForReader(TEXT, 'newsroom', 'admin')).toBe('Input "in.mp4" does not exist in the media root of newsroom.');
  expect(textForReader(TEXT, '$&', 'admin')).toBe('Input "in.mp4" does not exist in the media root of $&.');
});
