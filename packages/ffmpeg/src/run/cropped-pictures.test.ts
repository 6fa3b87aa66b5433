import type { OutputStream } from '@telecine/contract/domain/job.ts';
import { expect, test } from 'vitest';
import { MediaFacts } from '../rules/facts/media-facts.ts';
import { uselessCrops } from './measured-passes.ts';

const GRAPH = 'metadata=mode=delete,cropdetect,metadata=mode=print:key=lavfi.cropdetect.w:file=pass/crop-0-w.txt,null';
const PASSES = [
  ['-filter:v', GRAPH],
  ['-filter:v', 'crop=w=CROP_W:h=CROP_H:x=CROP_X:y=CROP_Y'],
];

function facts(): MediaFacts {
  const stream: OutputStream = { index: 0, type: 'video', codec: 'hevc', width: 320, height: 240 };
  const plan = { passes: PASSES, inputs: [], span: { inputs: [] }, output: {}, fields: {} };
  return new MediaFacts(
    plan as unknown as ConstructorParameters<typeof MediaFacts>[0],
    [{ demuxer: 'mov', streams: [stream] }] as unknown as MediaFacts['inputs'],
    [{ input: 0, stream: 0, output: 0, copied: false }],
  );
}

const warningsOf = (height: number) =>
  uselessCrops([{ field: '/parameters/vf', rectangle: { w: 320, h: height, x: 0, y: 0 } }], facts());

test('a rectangle that is the whole picture has no effect', () => {
  expect(warningsOf(180)).toEqual([]);
  expect(warningsOf(240)).toMatchObject([
    { field: '/parameters/vf', code: 'NO_EFFECT', fix: expect.stringContaining('Leave "cropdetect"') },
  ]);
});
