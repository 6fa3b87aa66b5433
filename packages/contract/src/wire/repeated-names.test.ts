import { expect, test } from 'vitest';
import { repeatedNames } from './repeated-names.ts';

const errorsOf = (text: string) => repeatedNames(text, JSON.parse(text));

test.each([
  ['many values of one name', `{${'"a":1,'.repeat(6000)}"a":2}`, 'TOO_MANY'],
  ['a long list that a later value replaces', `{"a":[${'1,'.repeat(6000)}1],"a":1}`, 'TOO_MANY'],
  ['deep lists that a later value replaces', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"a":1}`, 'TOO_DEEP'],
])('rejects %s before it compares them', (_what, text, code) => {
  expect(errorsOf(text)).toMatchObject([{ field: '', code }]);
});

test('names the members that a body has twice, at any depth', () => {
  expect(errorsOf('{"a":{"b":1,"b":2},"c":1,"c":1,"d":[{"e":1,"e":[]}]}').map(({ field }) => field)).toEqual([
    '/a/b',
    '/d/0/e',
  ]);
});
