import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { MediaPath } from '../../domain/media-path.ts';
import type { OutputFiles } from '../../domain/plan.ts';
import { openDirectory } from '../scratch/directory-handle.ts';
import { collectOutputs } from './collect-outputs.ts';

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
    const files = await collectOutputs({ ...out, pathOf }, [FRAMES]);
    clearImmediate(turn);
    await out.close();
    expect(files).toHaveLength(600);
    expect(most).toBeLessThan(300);
  },
);
