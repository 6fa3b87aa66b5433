import { expect, test } from 'vitest';
import { failureText, textForReader } from './text-for-reader.ts';

const TEXT = 'Input "in.mp4" does not exist in your media root.';

test('an error about a file names whose folder is meant, unless it is the folder of the reader', () => {
  expect(textForReader(TEXT, 'newsroom', 'newsroom')).toBe(TEXT);
  expect(textForReader(TEXT, 'newsroom', 'admin')).toBe('Input "in.mp4" does not exist in the media root of newsroom.');
  expect(textForReader(TEXT, '$&', 'admin')).toBe('Input "in.mp4" does not exist in the media root of $&.');
});

test('the fix of a failed job names the folder of its client too', () => {
  const error = { code: 'INPUT_NOT_FOUND' as const, message: TEXT, fix: 'Send another path in your media root.' };
  expect(failureText({ error, client: 'newsroom' }, 'admin')).toEqual({
    message: 'Input "in.mp4" does not exist in the media root of newsroom.',
    fix: 'Use another path in the media root of newsroom.',
  });
  expect(failureText({ error, client: 'newsroom' }, 'newsroom')).toEqual({
    message: TEXT,
    fix: 'Use another path in your media root.',
  });
  expect(failureText({ client: 'newsroom' }, 'admin')).toBeUndefined();
});
