import { expect, test } from 'vitest';
import { proposedWords } from './proposed-words.ts';

const set = (value: unknown) => ({ op: 'replace' as const, path: '/parameters/tune', value });

test('a wrong value of a command is replaced by the one that the service proposes', () => {
  expect(proposedWords('-tune flm', [set('film')])).toBe('-tune film');
  expect(proposedWords('-b:v  80000000000', [set('8M')])).toBe('-b:v  8M');
});

test.each([
  ['nothing is proposed', '-tune flm', []],
  ['the option goes', '-tune flm', [{ op: 'remove' as const, path: '/parameters/tune' }]],
  ['two options change', '-tune flm', [set('film'), set('x')]],
  ['a shell would read the value otherwise', '-vf scale', [set("scale='a b'")]],
  ['the words are no option', 'out.mp4', [set('a.mp4')]],
  ['the value is the same', '-tune film', [set('film')]],
])('no words are proposed if %s', (_why, words, patch) => {
  expect(proposedWords(words, patch)).toBeUndefined();
});
