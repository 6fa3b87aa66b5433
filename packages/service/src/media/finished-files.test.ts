import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { OutputFiles } from '@telecine/contract/domain/plan.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { FinishedOutput } from '../jobs/ports/media-store.ts';
import { collectOutputs, type FinishedFile, jobOutputs, writeTexts } from './finished-files.ts';
import { openDirectory } from './scratch/directory-handle.ts';

const FRAMES: OutputFiles = {
  field: '/output',
  subfolder: '',
  logical: 'out/%d.png',
  names: [[{ any: 'number' }, '.png']],
  folder: '',
  path: '%d.png' as MediaPath,
  muxer: 'image2',
  replace: false,
};

test.each([true, false])(
  'the service answers others while it looks at hundreds of frames; local disk: %s',
  async (isLocal) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'telecine-frames-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (let n = 0; n < 600; n += 1) writeFileSync(join(folder, `${n}.png`), 'x');
    const out = await openDirectory(folder, isLocal);
    let [inTurn, most] = [0, 0];
    const next = (): void => {
      inTurn = 0;
      turn = setImmediate(next);
    };
    let turn = setImmediate(next);
    // Each file is looked at by its path in the folder.
    const pathOf = (name: string): string => {
      inTurn += 1;
      most = Math.max(most, inTurn);
      return out.pathOf(name);
    };
    const files = await collectOutputs({ ...out, pathOf }, [{ files: FRAMES, report: {} }]);
    clearImmediate(turn);
    await out.close();
    expect(files).toHaveLength(600);
    expect(most).toBeLessThan(300);
  },
);

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

test('a text replaces what an input made ffmpeg write there, and follows no symlink', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telecine-texts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const foreign = join(folder, 'foreign');
  writeFileSync(foreign, 'untouched');
  symlinkSync(foreign, join(folder, 'a.vtt'));
  const out = await openDirectory(folder);
  const files = { subfolder: '' } as OutputFiles;
  await writeTexts(out, [{ files, report: {}, texts: [{ name: 'a.vtt', text: 'WEBVTT' }] }]);
  await out.close();
  expect(readFileSync(join(folder, 'a.vtt'), 'utf8')).toBe('WEBVTT');
  expect(readFileSync(foreign, 'utf8')).toBe('untouched');
});
