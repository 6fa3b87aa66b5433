import { expect, test } from 'vitest';
import type { MediaPath } from './media-path.ts';
import type { OutputFiles } from './plan.ts';
import { type FinishedFile, jobOutputs, plannedFiles } from './planned-files.ts';

const HLS: OutputFiles = {
  field: '/output',
  subfolder: '',
  logical: 'out/a.m3u8',
  names: [['a.m3u8'], ['a', { any: 'number' }, '.ts']],
  folder: 'hls/',
  manifest: 'a.m3u8',
  path: 'hls/a.m3u8' as MediaPath,
  muxer: 'hls',
  replace: false,
};

test('segments are published before the playlist that names them', () => {
  const planned = plannedFiles([HLS]);
  for (const name of ['a.m3u8', 'a10.ts', 'a9.ts']) planned.add(name);
  expect(planned.inOrder().map(({ path }) => path)).toEqual(['hls/a10.ts', 'hls/a9.ts', 'hls/a.m3u8']);
});

test('rejects a file that is not in the plan', () => {
  expect(() => plannedFiles([HLS]).add('other.ts')).toThrow('which is not a file of the output "hls/a.m3u8"');
});

test('rejects files whose paths are too long together', () => {
  const add = (folder: string) => {
    const planned = plannedFiles([{ ...HLS, folder }]);
    for (let n = 0; n < 10_000; n += 1) planned.add(`a${n}.ts`);
  };
  expect(() => add('é'.repeat(194))).not.toThrow();
  expect(() => add('é'.repeat(250))).toThrow('Each begins with a folder of 500 bytes.');
});

test('rejects a conversion that did not write its output', () => {
  const planned = plannedFiles([{ ...HLS, muxer: 'mp4', path: 'a.mp4' as MediaPath, logical: 'out/a.mp4' }]);
  expect(() => planned.inOrder()).toThrow('did not write "a.mp4"');
});

/** The paths of the outputs of a job: segments, their playlist, and the manifest that names the playlist. */
function pathsOf(segments: number): readonly string[] {
  const main = 'hls/master.m3u8' as MediaPath;
  const names = [...Array.from({ length: segments }, (_, i) => `hls/${i}.ts`), 'hls/video.m3u8', main];
  const files = names.map((path): FinishedFile => ({ name: path, path: path as MediaPath, rank: 0, output: 0, main }));
  const finished = [{ files: { path: main }, report: {} }];
  return jobOutputs(
    finished,
    files,
    files.map(() => ({ sizeBytes: 1 })),
  ).map(({ path }) => path);
}

test('the output that the client named comes first', () => {
  expect(pathsOf(2)).toEqual(['hls/master.m3u8', 'hls/0.ts', 'hls/1.ts', 'hls/video.m3u8']);
});

test('playlists are among the first of thousands of outputs', () => {
  const paths = pathsOf(5000);
  expect(paths.slice(0, 3)).toEqual(['hls/master.m3u8', 'hls/video.m3u8', 'hls/0.ts']);
  expect(paths).toHaveLength(5002);
});
