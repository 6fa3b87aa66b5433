import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { OutputFiles } from '@telecine/contract/domain/plan.ts';
import { expect, onTestFinished, test } from 'vitest';
import { collectOutputs, writeTexts } from './finished-files.ts';
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
    // `pathOf` is called for each file, so it counts the files per turn of the event loop.
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
