import { expect, test } from 'vitest';
import { type JobFiles, readSizedVersions } from './sized-versions.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'hls/master.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\nhigh.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n',
  'hls/high.m3u8': '#EXTINF:4,\nhigh0.ts\n#EXTINF:4,\nhigh1.ts\n',
  'hls/low.m3u8': '#EXTINF:8,\nlow0.ts\n',
};

const OUTPUTS = [
  ...Object.keys(TEXTS).map((path) => ({ path, sizeBytes: 100 })),
  ...['high0', 'high1', 'low0'].map((name, index) => ({ path: `hls/${name}.ts`, sizeBytes: 1000 * (index + 1) })),
];

/** The sizes of both versions, and the texts that were read for them. */
async function sizesWith(readOutputs: JobFiles['readOutputs']) {
  const read: string[] = [];
  const readText = async (path: string): Promise<string> => {
    read.push(path);
    return TEXTS[path] ?? Promise.reject(new Error(path));
  };
  const versions = await readSizedVersions('hls/master.m3u8', { readText, readOutputs });
  return { sizes: versions.map(({ version, bytes }) => [version.path, bytes]), read };
}

const UNKNOWN = [
  ['hls/high.m3u8', undefined],
  ['hls/low.m3u8', undefined],
];

test('a version has the size of all its files', async () => {
  expect((await sizesWith(async () => OUTPUTS)).sizes).toEqual([
    ['hls/high.m3u8', 3000],
    ['hls/low.m3u8', 3000],
  ]);
});

test('of a film with too many segments, only the master playlist is read', async () => {
  expect(await sizesWith(undefined)).toEqual({ sizes: UNKNOWN, read: ['hls/master.m3u8'] });
});

test('a playlist that is too large is not read, and a version with an unknown file has no size', async () => {
  const large = OUTPUTS.map((one) => (one.path === 'hls/high.m3u8' ? { ...one, sizeBytes: 2_000_000 } : one));
  expect(await sizesWith(async () => large.filter(({ path }) => path !== 'hls/low0.ts'))).toEqual({
    sizes: UNKNOWN,
    read: ['hls/master.m3u8', 'hls/low.m3u8'],
  });
});

test('the versions are listed also if the outputs cannot be read', async () => {
  expect((await sizesWith(() => Promise.reject(new Error('gone')))).sizes).toEqual(UNKNOWN);
});
