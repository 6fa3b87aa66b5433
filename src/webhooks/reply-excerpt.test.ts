import { expect, test } from 'vitest';
import { replyExcerpt } from './reply-excerpt.ts';

const excerpt = (text: string): string => replyExcerpt(new TextEncoder().encode(text));

test('a long reply is cut, also within a character', () => {
  expect(excerpt('a'.repeat(1000))).toBe('a'.repeat(256));
  expect(excerpt('a'.repeat(255).concat('é'))).toBe('a'.repeat(255));
});

test('a reply is one line without control characters', () => {
  expect(excerpt('one\r\n\u001b[31mtwo\u202e three\u0000')).toBe('one [31mtwo  three');
});

test.each([
  ['wrong whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'wrong (hidden)'],
  ['got Authorization: Bearer abc.DEF-1', 'got Authorization: (hidden)'],
  ['got basic dXNlcjpwYXNz=', 'got (hidden)'],
  ['jwt eyJhbGciOi.eyJzdWIi.c2ln', 'jwt (hidden)'],
])('credentials in %j are hidden', (text, shown) => {
  expect(excerpt(text)).toBe(shown);
});
