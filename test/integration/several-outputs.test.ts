import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OutputSpec } from '../../packages/contract/src/domain/conversion.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, MOVIE, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');

/** The warnings about the outputs of a film in stereo whose frames have gaps. */
async function warningsOf(outputs: readonly OutputSpec[]) {
  const dir = await scratch();
  const uneven = join(dir, 'uneven.mkv');
  const gaps = ['-t', '2', '-vf', String.raw`scale=64:-2,select=gt(mod(n\,24)\,12)`];
  const made = spawnSync(tools().ffmpegPath, [
    '-v',
    'error',
    '-nostdin',
    '-i',
    MOVIE,
    ...gaps,
    '-fps_mode',
    'vfr',
    '-ac',
    '2',
    uneven,
  ]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  const plan = wholePlan({ input: 'a.mkv', outputs });
  const mounts = [{ logical: 'in/0.mkv', hostPath: uneven }];
  const outcome = await runConversion(conversion(NO_SANDBOX, dir, plan, { mounts }));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.warnings;
}

const FILM = { output: 'film.mpg' };

test('frames that are repeated in the only film beside a sound cause a warning', async () => {
  expect(await warningsOf([FILM, { output: 'sound.mp3' }])).toMatchObject([
    { field: '/outputs/0', code: 'FRAMES_REPEATED' },
  ]);
});

test('beside pictures they cause none, because ffmpeg counts the frames behind a poster too', async () => {
  expect(await warningsOf([FILM, { output: 'poster.jpg', parameters: { 'frames:v': '1' } }])).toEqual([]);
});
