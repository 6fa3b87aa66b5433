import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { catalogueKeyOf } from '../../packages/ffmpeg/src/catalogue/open-catalogue.ts';
import { decodeCatalogue, encodeCatalogue } from '../../packages/ffmpeg/src/catalogue/serialized-catalogue.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

test('a registered catalogue is the same on a machine without its ffmpeg, without the path of the program', async () => {
  const own = recordedCatalogue('7.1');
  const decoded = await decodeCatalogue(await encodeCatalogue(own));
  expect(decoded).toEqual({ ...own, build: { ...own.build, path: '' } });
});

test('a catalogue of another form is not read', async () => {
  expect(await decodeCatalogue(brotliCompressSync('{"build":{"key":"k"}}'))).toBeUndefined();
});

test('answers to the queries of another version of Telecine are not read', async () => {
  const content = await encodeCatalogue(recordedCatalogue('7.1'));
  const other = { ...JSON.parse(brotliDecompressSync(content).toString()), format: 99 };
  expect(await decodeCatalogue(brotliCompressSync(JSON.stringify(other)))).toBeUndefined();
});

test('builds with other keys have other catalogue keys', () => {
  expect(catalogueKeyOf({ key: 'a' })).not.toBe(catalogueKeyOf({ key: 'b' }));
  expect(catalogueKeyOf({ key: 'a' })).toBe(catalogueKeyOf({ key: 'a' }));
});
