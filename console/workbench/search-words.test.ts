import { expect, test } from 'vitest';
import { type SearchWords, unappliedText } from './search-words.ts';

const best: SearchWords['best'] = {
  ...{ name: 'target-size', version: 1, source: 'built-in', title: 'Fit a size', description: 'Fits a size.' },
  ...{ outputs: ['mp4'], inputs: ['video'], arguments: ['size'] },
};

test('words that are not applied are said, and what to do only if no button does it', () => {
  expect(unappliedText({ text: 'fit in 8 MB', isSearched: true, best })).toBe('"fit in 8 MB" is not applied yet.');
  expect(unappliedText({ text: 'teleport the moon', isSearched: true })).toBe(
    '"teleport the moon" is not applied. Choose a recipe, or remove the words.',
  );
  expect(unappliedText({ text: 'fit in 8 MB' })).toBe('Searching for "fit in 8 MB"…');
  expect(unappliedText({ text: '' })).toBeUndefined();
});

test('long words are cut', () => {
  expect(unappliedText({ text: 'so '.repeat(50).trim(), isSearched: true })).toMatch(/^".{39}…" is not applied\./);
});
