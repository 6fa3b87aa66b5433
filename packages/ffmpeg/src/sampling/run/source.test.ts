import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../../../../test/support/folders.ts';
import { readPackets } from './source.ts';

/** As ffmpeg 5.1 writes it: a key frame, and two other frames out of order. */
const LIST = `#extradata 0:       45, 0x4c3b0a1d
#software: Lavf59.27.100
#tb 0: 1/12800
#media_type 0: video
#codec_id 0: h264
#dimensions 0: 854x480
#sar 0: 1/1
0,      -1024,          0,      512,    13021, 0x8c9f2b4e, S=1,        8, 0x00000003
0,       -512,       1024,      512,      412, 0x5e6f7a8b, F=0x0
0,          0,        512,      512,      105, 0x9c0d1e2f, F=0x4
`;

test('reads times, bytes and key frames of the video', async () => {
  const file = join(await testFolder('packets'), 'packets.txt');
  await writeFile(file, LIST);
  expect(await readPackets(file, new AbortController().signal)).toEqual({
    video: [
      { time: 0, bytes: 13_021, key: true },
      { time: 0.08, bytes: 412, key: false },
      { time: 0.04, bytes: 105, key: false },
    ],
    endSeconds: 0.12,
  });
});
