import { expect, test } from 'vitest';
import { entriesText, movesInto, renamed, stemLength } from './move-targets.ts';

test('entries move into a folder under their names', () => {
  expect(movesInto(['m/a.mov', 'm/old/'], 'n/')).toEqual([
    { from: 'm/a.mov', to: 'n/a.mov' },
    { from: 'm/old/', to: 'n/old/' },
  ]);
  expect(movesInto(['m/a.mov'], '')).toEqual([{ from: 'm/a.mov', to: 'a.mov' }]);
});

test('what is in the folder stays there, and no folder moves into itself', () => {
  expect(movesInto(['n/a.mov', 'n/', 'n/old/'], 'n/')).toEqual([]);
  expect(movesInto(['n/'], 'n/old/')).toEqual([]);
  expect(movesInto(['n/', 'm.mov'], 'nn/')).toHaveLength(2);
});

test('another name keeps the folder, and the same or no name is no move', () => {
  expect(renamed('m/a.mov', ' b.mov ')).toEqual({ from: 'm/a.mov', to: 'm/b.mov' });
  expect(renamed('m/old/', 'new')).toEqual({ from: 'm/old/', to: 'm/new/' });
  expect([renamed('m/a.mov', 'a.mov'), renamed('m/a.mov', ' ')]).toEqual([undefined, undefined]);
});

test('a rename begins with the name selected, without its extension', () => {
  expect(['m/talk.final.mov', 'm/.hidden', 'm/v1.2/', 'plain'].map(stemLength)).toEqual([10, 7, 4, 5]);
});

test('a text names one entry and counts several', () => {
  expect(entriesText(['m/a.mov'])).toBe('a.mov');
  expect(entriesText(['a', 'b', 'c/'])).toBe('2 files and 1 folder');
  expect(entriesText(['a/', 'b/'])).toBe('2 folders');
});
