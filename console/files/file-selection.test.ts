import { expect, test } from 'vitest';
import { NOTHING_SELECTED, selectAll, selectEntry, selectedOf } from './file-selection.ts';

const LISTED = ['a', 'b', 'c', 'd', 'e'];
type Step = readonly [path: string, how: Parameters<typeof selectEntry>[3]];
const after = (...steps: readonly Step[]) =>
  steps.reduce((before, [path, how]) => selectEntry(before, LISTED, path, how), NOTHING_SELECTED);
const paths = (...steps: readonly Step[]) => [...after(...steps).paths].sort().join('');

test('a click selects one entry alone, and with Ctrl besides the others', () => {
  expect(paths(['a', 'only'], ['c', 'only'])).toBe('c');
  expect(paths(['a', 'only'], ['c', 'toggle'], ['e', 'toggle'], ['c', 'toggle'])).toBe('ae');
});

test('Shift selects all from the entry that was chosen last, in both directions', () => {
  expect(paths(['b', 'only'], ['d', 'range'])).toBe('bcd');
  expect(paths(['b', 'only'], ['d', 'range'], ['a', 'range'])).toBe('ab');
  expect(paths(['b', 'range'], ['c', 'range'])).toBe('bc');
});

test('entries that are no longer listed are not selected', () => {
  expect(selectedOf(selectAll(LISTED), [{ path: 'b' }, { path: 'x' }, { path: 'a' }])).toEqual([
    { path: 'a' },
    { path: 'b' },
  ]);
});

test('selected entries keep the order in which they were selected, in another order of the list too', () => {
  const selection = after(['d', 'toggle'], ['a', 'toggle'], ['c', 'toggle'], ['a', 'toggle'], ['a', 'toggle']);
  const inOrder = (listed: readonly string[]) =>
    selectedOf(
      selection,
      listed.map((path) => ({ path })),
    ).map(({ path }) => path);
  expect(inOrder(LISTED)).toEqual(['d', 'c', 'a']);
  expect(inOrder(LISTED.toReversed())).toEqual(['d', 'c', 'a']);
});

test('a range is selected in the order of the list, also backwards', () => {
  expect([...after(['d', 'only'], ['b', 'range']).paths]).toEqual(['b', 'c', 'd']);
});
