import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { componentOf } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import {
  catalogueKeyOf,
  completeCatalogue,
  isComplete,
} from '../../packages/ffmpeg/src/catalogue/complete-catalogue.ts';
import {
  decodeCatalogue,
  encodeCatalogue,
  FactsMissing,
} from '../../packages/ffmpeg/src/catalogue/registered-catalogue.ts';
import { FAMILIES } from '../common-requests/families.ts';
import { PLACEHOLDER_CANARIES } from '../hostile/placeholder-canaries.ts';
import { ROWS } from '../hostile/rows.ts';
import { learning } from '../support/learning-catalogue.ts';
import { factsFor, planRequest } from '../support/planning.ts';
import { freshCatalogue, RECORDED, recordedCatalogue, recording } from '../support/recorded-catalogue.ts';
import { sampled } from '../support/sampled.ts';

const REQUESTS = sampled(
  [
    ...Object.values(FAMILIES)
      .flat()
      .map(({ request }) => request),
    ...ROWS.map(([, row]) => row.request(PLACEHOLDER_CANARIES)),
  ],
  4,
);

test.each(RECORDED)('a complete catalogue of ffmpeg %s has every fact that a request can need', async (version) => {
  const { live, asked } = learning(freshCatalogue(version));
  expect(isComplete(live.current)).toBe(false);
  const complete = await completeCatalogue(live, new AbortController().signal);
  expect(isComplete(complete)).toBe(true);
  for (const request of REQUESTS) expect(factsFor(request)(complete)).toBeUndefined();
  const { steps, largest } = asked();
  expect(largest, 'queries of requests come in between').toBeLessThanOrEqual(2);
  expect(await completeCatalogue(live, new AbortController().signal)).toBe(complete);
  expect(asked().steps).toBe(steps);
});

test('the recording of the ffmpeg on which CI runs spares the services of tests all queries of components', async () => {
  const { cli } = await completeCatalogue(learning(freshCatalogue('5.1')).live, new AbortController().signal);
  expect(isComplete({ ...recordedCatalogue('5.1'), cli })).toBe(true);
});

test('completing a catalogue ends when the worker stops', async () => {
  const stop = new AbortController();
  stop.abort(new Error('the worker stops'));
  await expect(completeCatalogue(learning(freshCatalogue()).live, stop.signal)).rejects.toThrow('the worker stops');
});

test('a registered catalogue plans as the build does, and its options can be searched', async () => {
  const own = recordedCatalogue('7.1');
  const { full } = recording('7.1').basics;
  const source = await decodeCatalogue(await encodeCatalogue(own, full));
  if (source === undefined) throw new Error('The catalogue was not decoded.');
  expect(source.current).toEqual({ ...own, build: { ...own.build, path: '' } });
  for (const request of REQUESTS) {
    if (factsFor(request)(own) !== undefined) continue;
    const catalogue = await source.ensure(factsFor(request));
    expect(planRequest(request, { catalogue })).toEqual(planRequest(request, { catalogue: own }));
  }
  expect(await source.component('encoder', 'libx264')).toEqual(componentOf(own, 'encoder', 'libx264'));
  const classes = await source.classes();
  expect(classes.map(({ title }) => title)).toContain('libx264');
  expect(await source.classes()).toBe(classes);
});

test('a registered catalogue that lacks a fact says so, and one of another form is not read', async () => {
  const fresh = freshCatalogue('7.1');
  const source = await decodeCatalogue(await encodeCatalogue(fresh, ''));
  const first = REQUESTS.find((request) => factsFor(request)(fresh) !== undefined);
  if (first === undefined) throw new Error('All requests need no facts.');
  await expect(source?.ensure(factsFor(first))).rejects.toThrow(FactsMissing);
  expect(await decodeCatalogue(brotliCompressSync('{"build":{"key":"k"}}'))).toBeUndefined();
});

test('builds with other keys have other catalogue keys', () => {
  expect(catalogueKeyOf({ key: 'a' })).not.toBe(catalogueKeyOf({ key: 'b' }));
  expect(catalogueKeyOf({ key: 'a' })).toBe(catalogueKeyOf({ key: 'a' }));
});
