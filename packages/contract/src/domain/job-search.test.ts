import { expect, test } from 'vitest';
import { SEARCH_LIMITS, searchText, searchWords } from './job-search.ts';

test.each([
  ['Take 2', ['take', '2']],
  ['"Take 2" web', ['take 2', 'web']],
  ['  ', []],
  ['""', []],
  ['E\u0301T\u00c9', ['\u00e9t\u00e9']],
  ['a"b c', ['a"b', 'c']],
  ['5" "', ['5"']],
  ['web "take 2', ['web', 'take 2']],
  ['a\0b \0', ['ab']],
])('the search %j looks for the words %j', (q, words) => {
  expect(searchWords(q)).toEqual(words);
});

test('all that a person knows of a job is searched', () => {
  const text = searchText({
    jobId: '0199a7c2',
    client: 'Amy',
    name: 'trailer',
    paths: ['web/Take-2.mp4', 'raw/Take 2.mov'],
    recipe: 'fit-in-size',
    error: { code: 'INPUT_NOT_FOUND', message: 'It is not there.' },
    metadata: { order: 'A-1042' },
  });
  for (const word of searchWords('0199 amy trailer web/take-2 "take 2.mov" fit-in-size input_not_found there. a-1042'))
    expect(text).toContain(word);
  expect(text, 'names of metadata are not its values').not.toContain('order');
});

test('of a job with very many paths, only the first are searched', () => {
  const paths = Array.from({ length: 100 }, () => 'a'.repeat(1000));
  expect(searchText({ jobId: '', client: '', paths })).toHaveLength(SEARCH_LIMITS.textLength);
});
