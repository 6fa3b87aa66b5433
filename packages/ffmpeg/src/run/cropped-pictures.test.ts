import type { OutputStream } from '@telecine/contract/domain/job.ts';
import { expect, test } from 'vitest';
import { MediaFacts } from '../rules/facts/media-facts.ts';
import { uselessCrops } from './measured-passes.ts';

const first = (limit: string): readonly string[] => [
  '-filter:v',
  `metadata=mode=delete,cropdetect=${limit},metadata=mode=print:key=lavfi.cropdetect.w:file=pass/crop-0-w.txt,null`,
];
const SECOND = ['-filter:v', 'crop=w=CROP_W:h=CROP_H:x=CROP_X:y=CROP_Y'];

function factsOf(pixelFormat: string): MediaFacts {
  const stream: OutputStream = { index: 0, type: 'video', codec: 'hevc', width: 320, height: 240, pixelFormat };
  const plan = { passes: [first('limit=24'), SECOND], inputs: [], span: { inputs: [] }, output: {}, fields: {} };
  return new MediaFacts(
    plan as unknown as ConstructorParameters<typeof MediaFacts>[0],
    [{ demuxer: 'mov', streams: [stream] }] as unknown as MediaFacts['inputs'],
    [{ input: 0, stream: 0, output: 0, copied: false }],
  );
}

const warningsOf = (height: number, limit = 'limit=24', pixelFormat = 'yuv420p10le') =>
  uselessCrops(
    [{ field: '/parameters/vf', rectangle: { w: 320, h: height, x: 0, y: 0 } }],
    factsOf(pixelFormat),
    first(limit),
  );

test('a rectangle that is the whole picture has no effect', () => {
  expect(warningsOf(180)).toEqual([]);
  expect(warningsOf(240, 'round=2')).toMatchObject([
    { field: '/parameters/vf', code: 'NO_EFFECT', fix: expect.stringContaining('Leave "cropdetect"') },
  ]);
});

test('a limit that counts in steps of 8 bits becomes a fraction for pictures of 10 bits', () => {
  expect(warningsOf(240)).toMatchObject([{ fix: expect.stringContaining('Send "limit=0.0941"') }]);
  expect(warningsOf(240, 'limit=24', 'yuv420p')).toMatchObject([{ fix: expect.not.stringContaining('limit=0') }]);
});
