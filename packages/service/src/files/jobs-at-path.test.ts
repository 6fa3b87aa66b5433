import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { expect, test } from 'vitest';
import { usersOf } from './jobs-at-path.ts';

const ROOT = { pathPrefix: '/srv/media', grants: [] } as unknown as MediaRoot;

/** Returns those of the paths that one of the jobs uses, which have these requests. */
async function usedOf(paths: readonly string[], requests: Iterable<object>): Promise<readonly string[]> {
  const unfinished = async function* () {
    for (const request of requests)
      yield { jobId: 'job-1', status: 'PENDING' as const, request: JSON.stringify(request) };
  };
  return [...(await usersOf({ unfinished }, { clientId: 'amy', root: ROOT }, paths)).keys()];
}

const uses = async (request: object, path: string): Promise<boolean> =>
  (await usedOf(['other.mov', path], [request])).includes(path);

test.for<[what: string, request: object, path: string]>([
  ['its input', { input: 'in/a.mov', output: 'b.mp4' }, 'in/a.mov'],
  ['its output', { input: 'in/a.mov', output: 'b.mp4' }, 'b.mp4'],
  ['an input by its path on the host', { input: '/srv/media/in/a.mov' }, 'in/a.mov'],
  ['an input in another spelling', { input: './in//x/../a.mov' }, 'in/a.mov'],
  ['an input with options', { inputs: [{ input: 'in/a.mov', parameters: {} }] }, 'in/a.mov'],
  ['one of several outputs', { outputs: [{ output: 'o/1.mp4' }, { output: 'o/2.mp4' }] }, 'o/2.mp4'],
  ['the reference of a measurement', { input: 'x', analysis: { reference: 'in/a.mov' } }, 'in/a.mov'],
  ['an image of a sequence', { input: 'frames/f_%03d.png' }, 'frames/f_012.png'],
  ['a segment of a playlist', { input: 'hls/main.m3u8' }, 'hls/v0/seg_1.ts'],
  ['a segment of a playlist with another extension', { input: 'hls/MAIN.M3U' }, 'hls/v0/seg_1.ts'],
  ['an input with quotes and other signs', { input: 'in/"é"\\🎬.mov' }, 'in/"é"\\🎬.mov'],
  [
    'a file with a long path in a filter',
    { parameters: { vf: `movie=${'d/'.repeat(200)}a.mov` } },
    `${'d/'.repeat(200)}a.mov`,
  ],
  ['a file in a filter', { input: 'x', parameters: { vf: "subtitles='in/a.srt'" } }, 'in/a.srt'],
  ['a folder with its input', { input: 'in/deep/a.mov' }, 'in/'],
])('a request uses %s', async ([, request, path]) => {
  expect(await uses(request, path)).toBe(true);
});

test.for<[what: string, request: object, path: string]>([
  ['a file of the same name elsewhere', { input: 'in/a.mov', output: 'b.mp4' }, 'out/a.mov'],
  ['a file with a longer name', { input: 'in/a.mov' }, 'in/a.mov.bak'],
  ['a folder whose name begins like that of its input', { input: 'in2/a.mov' }, 'in/'],
  ['a file that its metadata names', { input: 'a.mov', metadata: { source: 'b.mov' } }, 'b.mov'],
  ['an image beside a sequence of another type', { input: 'frames/f_%03d.png' }, 'frames/poster.jpg'],
  ['a file beside a playlist', { input: 'hls/main.m3u8' }, 'hls/notes.txt'],
  ['an input at a URL', { input: 'https://example.org/in/a.mov' }, 'in/a.mov'],
  ['a folder that a ratio looks like', { input: 'a', parameters: { aspect: '16/9' } }, '16/'],
])('a request does not use %s', async ([, request, path]) => {
  expect(await uses(request, path)).toBe(false);
});

/** A request with a megabyte of options. */
const HOSTILE = {
  input: 'in.mov',
  parameters: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`metadata:${i}`, 'a'.repeat(16_000)])),
};

test('other requests have their turns while long requests of many jobs are searched for many paths', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const paths = Array.from({ length: 60 }, (_, i) => `${'a'.repeat(180 + i)}b`);
  expect(await usedOf(paths, [HOSTILE, HOSTILE])).toEqual([]);
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(2 * paths.length - 2);
});

// A search for all of a path of 4 KB tries again at each letter of the option.
test('an option names a file if it contains the last 250 characters of its path', async () => {
  const path = `${'a'.repeat(2000)}b${'a'.repeat(250)}`;
  expect(await usedOf([path, `${path}b`], [HOSTILE])).toEqual([path]);
});
