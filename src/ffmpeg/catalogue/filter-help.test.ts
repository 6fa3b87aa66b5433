import { expect, test } from 'vitest';
import { freshCatalogue, RECORDED, recordedCatalogue } from '../../../test/support/recorded-catalogue.ts';
import { componentKey } from './catalogue.ts';
import { parseComponent } from './help-component.ts';

test.each(RECORDED)('says of a filter of ffmpeg %s what its own help says', (version) => {
  const known = recordedCatalogue(version).components;
  const { components, lists } = freshCatalogue(version);
  expect(components.size).toBeGreaterThan(250);
  for (const name of lists.filters.keys()) {
    const key = componentKey({ kind: 'filter', name });
    const found = components.get(key);
    if (found === undefined) continue;
    const own = known.get(key)?.text;
    // Not every recording has a filter that requests may use since.
    if (own === undefined) continue;
    expect(parseComponent({ kind: 'filter', name }, found.text)).toEqual(parseComponent({ kind: 'filter', name }, own));
  }
});

test('leaves filters with several or dynamic pads to queries, and those without options of their own', () => {
  const { components } = freshCatalogue('7.1');
  expect(['overlay', 'split', 'scale', 'hflip'].filter((name) => components.has(`filter=${name}`))).toEqual([]);
});
