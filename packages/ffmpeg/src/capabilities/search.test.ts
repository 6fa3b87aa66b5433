import { expect, test } from 'vitest';
import { search } from './search.ts';

const ITEMS = [
  { name: 'zscale', description: 'Apply resizing, colorspace and bit depth conversion.' },
  { name: 'scale2ref', description: 'Scale the input video size to the given reference.' },
  { name: 'grayworld', description: 'Adjust white balance using LAB gray world algorithm' },
  { name: 'scale', description: 'Scale the input video size and/or convert the image format.' },
  { name: 'pan', description: 'Remix channels.' },
];

const names = (words: string) => search(ITEMS, words).items.map(({ name }) => name);

test('ranks an equal name first, then a prefix, then a part of the name, then the description', () => {
  expect(names('scale')).toEqual(['scale', 'scale2ref', 'zscale']);
});

test('finds every word in the name or the description, in any case', () => {
  expect(names('video SIZE')).toEqual(['scale2ref', 'scale']);
  expect(names('scale format')).toEqual(['scale']);
});

test('returns all items if the search has no words', () => {
  expect(search(ITEMS, '  ')).toEqual({ items: ITEMS, alike: false });
});

test('returns items with similar names if nothing matches', () => {
  expect(search(ITEMS, 'scael')).toEqual({ items: [ITEMS[3]], alike: true });
  expect(search(ITEMS, 'nothing')).toEqual({ items: [], alike: true });
});

test('searches additional text too', () => {
  expect(search(ITEMS, 'surround', ({ name }) => (name === 'pan' ? 'surround' : '')).items).toEqual([ITEMS[4]]);
});
