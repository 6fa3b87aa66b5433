import { expect, test } from 'vitest';
import { recordedCatalogue } from '../../../../test/support/recorded-catalogue.ts';
import { componentOf } from './components.ts';
import { mergeCatalogues } from './merge-catalogues.ts';

const [OLD, NEW] = [recordedCatalogue('5.1'), recordedCatalogue('9.0')];
const names = (map: ReadonlyMap<string, unknown>) => [...map.keys()];

test('several builds together offer what at least one of them has, as the newest describes it', () => {
  const merged = mergeCatalogues([OLD, NEW]);
  const { encoders, filters } = merged.lists;
  expect(new Set(names(encoders))).toEqual(new Set([...names(NEW.lists.encoders), ...names(OLD.lists.encoders)]));
  expect(names(encoders).slice(0, NEW.lists.encoders.size)).toEqual(names(NEW.lists.encoders));
  expect(filters.size).toBeGreaterThan(Math.max(OLD.lists.filters.size, NEW.lists.filters.size));
  expect(filters.get('scale')).toEqual(NEW.lists.filters.get('scale'));
  expect(componentOf(merged, 'encoder', 'libx264')).toEqual(componentOf(NEW, 'encoder', 'libx264'));
  const gone = names(OLD.lists.filters).find((name) => !NEW.lists.filters.has(name)) ?? '';
  expect(componentOf(merged, 'filter', gone)).toBeDefined();
  expect(merged.cli.get('map_channel'), 'an option that only the older build has').toEqual(OLD.cli.get('map_channel'));
});

test('one build is as it is', () => {
  expect(mergeCatalogues([OLD])).toBe(OLD);
});
