import { expect, test } from 'vitest';
import { recordedCatalogue } from '../../../../test/support/recorded-catalogue.ts';
import { BuildUnavailable } from './build.ts';
import { type Catalogue, componentOf } from './catalogue.ts';
import { mergeSources } from './merge-sources.ts';
import type { CatalogueSource } from './registered-catalogue.ts';

const source = (current: Catalogue): CatalogueSource => ({
  current,
  ensure: async () => current,
  component: async (kind, name) => componentOf(current, kind, name),
  option: async (name) => current.cli.get(name) ?? undefined,
  classes: async () => [{ title: 'AVCodecContext', options: [...current.generic.codec.values()] }],
});

const [OLD, NEW] = [recordedCatalogue('5.1'), recordedCatalogue('9.0')];
const names = (map: ReadonlyMap<string, unknown>) => [...map.keys()];

test('several builds together offer what at least one of them has, as the newest describes it', async () => {
  const merged = mergeSources([source(OLD), source(NEW)]);
  const { encoders, filters } = merged.current.lists;
  expect(new Set(names(encoders))).toEqual(new Set([...names(NEW.lists.encoders), ...names(OLD.lists.encoders)]));
  expect(names(encoders).slice(0, NEW.lists.encoders.size)).toEqual(names(NEW.lists.encoders));
  expect(filters.size).toBeGreaterThan(Math.max(OLD.lists.filters.size, NEW.lists.filters.size));
  expect(filters.get('scale')).toEqual(NEW.lists.filters.get('scale'));
  expect(await merged.component('encoder', 'libx264')).toBe(componentOf(NEW, 'encoder', 'libx264'));
  const gone = names(OLD.generic.codec).find((name) => !NEW.generic.codec.has(name));
  const [codec] = await merged.classes();
  expect(codec?.options.map(({ name }) => name)).toEqual(
    expect.arrayContaining([gone ?? 'an option that is gone', ...names(NEW.generic.codec)]),
  );
});

test('the merged catalogue and classes stay the same objects until a build gets new facts', async () => {
  let current = OLD;
  const growing: CatalogueSource = {
    ...source(OLD),
    get current() {
      return current;
    },
  };
  const merged = mergeSources([growing, source(NEW)]);
  const before = merged.current;
  expect(merged.current).toBe(before);
  current = { ...OLD };
  expect(merged.current).not.toBe(before);
});

test('a build that does not answer hides nothing of what the others offer', async () => {
  const fault = new BuildUnavailable(NEW.build, { what: 'does not answer', fix: 'Ask the operator' }, 10);
  const fail = () => Promise.reject(fault);
  const silent: CatalogueSource = { ...source(NEW), component: fail, option: fail, classes: fail };
  const merged = mergeSources([source(OLD), silent]);
  expect(await merged.component('encoder', 'libx264')).toBe(componentOf(OLD, 'encoder', 'libx264'));
  expect(await merged.option('ss')).toEqual(OLD.cli.get('ss'));
  expect(await merged.classes()).toHaveLength(1);
  await expect(merged.component('encoder', 'unknown')).rejects.toBe(fault);
  await expect(mergeSources([silent, { ...silent }]).classes()).rejects.toBe(fault);
});

test('what a complete build has is not requested of the workers of a partial one', async () => {
  const request = () => Promise.reject(new Error('A worker was asked.'));
  const partial: CatalogueSource = { ...source(NEW), isPartial: true, component: request, option: request };
  const merged = mergeSources([source(OLD), partial]);
  expect(await merged.component('encoder', 'libx264')).toBe(componentOf(OLD, 'encoder', 'libx264'));
  expect(await merged.option('ss')).toEqual(OLD.cli.get('ss'));
});

test('an option that only an older build has is found', async () => {
  const lacking: CatalogueSource = { ...source(NEW), option: async () => ({ argument: false, place: 'nowhere' }) };
  expect(await mergeSources([source(OLD), lacking]).option('ss')).toEqual(OLD.cli.get('ss'));
  expect(await mergeSources([lacking, { ...lacking }]).option('ss')).toBeUndefined();
});
