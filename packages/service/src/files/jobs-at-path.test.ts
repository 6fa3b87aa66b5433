import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { expect, test } from 'vitest';
import { usersOf } from './jobs-at-path.ts';

const ROOT = { pathPrefix: '/srv/media', grants: [] } as unknown as MediaRoot;
async function uses(request: object, path: string): Promise<boolean> {
  const unfinished = async function* () {
    yield { jobId: 'job-1', status: 'PENDING' as const, request: request as ConversionRequest };
  };
  return (await usersOf({ unfinished }, { clientId: 'amy', root: ROOT }, ['other.mov', path])).has(path);
}

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
