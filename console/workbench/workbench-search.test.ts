import { expect, test } from 'vitest';
import { readWorkbenchSearch } from './workbench-search.ts';

test('an address of the workbench can name a source and the words for a recipe; the rest is ignored', () => {
  expect(readWorkbenchSearch({ source: 'a b.mp4', find: 'fit in 8 MB', other: 1 })).toEqual({
    source: 'a b.mp4',
    find: 'fit in 8 MB',
  });
  expect(readWorkbenchSearch({ source: '', find: ['a'] })).toEqual({});
});
