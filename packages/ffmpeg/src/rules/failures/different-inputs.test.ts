import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { expect, test } from 'vitest';
import { validPlan } from '../../../../../test/support/planning.ts';
import { foreseenWarnings } from '../foreseen-warnings.ts';
import { faultGuard } from '../rules.ts';

const film = (fps: number): MediaInfo => ({
  format: { names: ['mov', 'mp4'], durationSeconds: 3, tags: {} },
  streams: [
    {
      ...{ index: 0, type: 'video', codec: 'h264', width: 160, height: 90, pixelFormat: 'yuv420p' },
      ...{ frameRate: fps, frameRateExact: `${fps}/1`, baseFrameRate: fps, disposition: [], tags: {} },
    },
  ],
  chapters: [],
});

/** The codes of a dry run that joins videos of 25 and 24 frames per second. */
function codesOf(parameters: Parameters): readonly string[] {
  const joined: Parameters = { filter_complex: '[0:v][1:v]concat[v]', map: '[v]', 'c:v': 'libx264', ...parameters };
  const plan = validPlan({ inputs: ['a.mp4', 'b.mp4'], output: 'c.mp4', parameters: joined });
  const faults: unknown[] = [];
  const guard = faultGuard((error) => faults.push(error));
  const codes = foreseenWarnings(plan, [film(25), film(24)], undefined, guard).map(({ code }) => code);
  expect(faults).toEqual([]);
  return codes;
}

test.each<[Parameters]>([[{}], [{ fps_mode: 'cfr' }], [{ vsync: '1' }], [{ fps_mode: 'auto' }]])(
  'a dry run warns that a join of two frame rates may not end with %j',
  (parameters) => {
    expect(codesOf(parameters)).toEqual(['ENDLESS']);
  },
);

test.each<[Parameters]>([
  [{ r: '25' }],
  [{ 'fps_mode:v': 'vfr' }],
  [{ fps_mode: 'passthrough' }],
  [{ vsync: '2' }],
  [{ vsync: '0' }],
])('a join of two frame rates ends with %j', (parameters) => {
  expect(codesOf(parameters)).not.toContain('ENDLESS');
});
