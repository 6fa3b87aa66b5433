import { expect, test } from 'vitest';
import { readFrameTraits } from './stream-line.ts';

test.each([
  ['  Stream #0:0: Video: h264, yuv420p(tv, progressive), 320x180 [SAR 3:4 DAR 4:3], q=2-31', { pixelAspect: 0.75 }],
  [
    '  Stream #0:0(und): Video: h264 (H264 / 0x34), yuv422p(top coded first (swapped)), 720x576 [SAR 1:1 DAR 5:4], 25 fps',
    { pixelAspect: 1, isInterlaced: true },
  ],
  [
    '  Stream #0:0[0x1e0]: Video: mpeg2video (Main), yuv420p(tv, bottom first), 160x120, 25 fps',
    { isInterlaced: true },
  ],
  [
    '  Stream #0:0: Video: h264 (High), yuv420p(progressive), 160x120, SAR 16:15 DAR 4:3, 25 fps',
    { pixelAspect: 16 / 15 },
  ],
  ['  Stream #0:0: Video: h264, yuv420p, 320x180', undefined],
  ['  Stream #0:1: Audio: aac (LC), 44100 Hz, stereo (top first), fltp', undefined],
])('%s', (line, traits) => expect(readFrameTraits(line)).toEqual(traits));
