import { expect, test } from 'vitest';
import type { MediaPath } from '../../domain/media-path.ts';
import type { FinishedOutput } from '../../jobs/ports/media-store.ts';
import type { FinishedFile } from './collect-outputs.ts';
import { jobOutputs } from './job-outputs.ts';

/** The paths of the outputs of a job that wrote segments, a playlist of them and the manifest that it names. */
function pathsOf(segments: number): readonly string[] {
  const main = 'hls/master.m3u8' as MediaPath;
  const names = [...Array.from({ length: segments }, (_, i) => `hls/${i}.ts`), 'hls/video.m3u8', main];
  const files = names.map((path): FinishedFile => ({ name: path, path: path as MediaPath, rank: 0, output: 0, main }));
  const finished = [{ files: { path: main }, report: {} }] as unknown as readonly FinishedOutput[];
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
