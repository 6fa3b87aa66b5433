import { expect, test } from 'vitest';
import { fixText } from './fix-text.ts';

test.each([
  [
    'Send "c:v": "libx264" as well: a copy gets no key frames.',
    'Use "c:v": "libx264" as well: a copy gets no key frames.',
  ],
  ['Create the folder, or send another one.', 'Create the folder, or use another one.'],
  ['Leave it out, or send 0.', 'Leave it out, or use 0.'],
  ['Send, for example, 12.5 or "1:30".', 'Use, for example, 12.5 or "1:30".'],
  ['Send a dry run again.', 'Send a dry run again.'],
])('%j is %j', (fix, text) => {
  expect(fixText(fix)).toBe(text);
});
