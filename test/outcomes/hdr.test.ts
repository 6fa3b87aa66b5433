import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';
import { outcomesOf } from '../support/outcomes.ts';
import { seenFrames } from '../support/seen-frames.ts';

const test = needs('ffmpeg');

const TRANSFERS = { hlg: 'arib-std-b67', pq: 'smpte2084' } as const;

const ready = outcomesOf('hdr', async (folder) => {
  for (const [name, transfer] of Object.entries(TRANSFERS))
    await makeMedia(
      folder,
      ...['-f', 'lavfi', '-i', 'color=0x706058:s=126x70:r=10:d=0.6,format=yuv420p10le'],
      ...['-c:v', 'libx265', '-x265-params', 'log-level=error', '-tag:v', 'hvc1'],
      ...['-color_trc', transfer, '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc', `${name}.mp4`],
    );
});

type HdrRequest = Partial<ConversionRequest> & { readonly output: string };

const ROWS: readonly (readonly [title: string, request: HdrRequest])[] = [
  ['poster.jpg', { output: 'poster.jpg', preset: { name: 'poster' } }],
  ['poster.png', { output: 'poster.png', preset: { name: 'poster', arguments: { at: 0.1 } } }],
  ['gif', { output: 'gif.gif', preset: { name: 'gif', arguments: { width: 75 } } }],
  ['contact-sheet', { output: 'sheet.png', preset: { name: 'contact-sheet', arguments: { columns: 1, rows: 1 } } }],
  ['poster.webp', { output: 'poster.webp', preset: { name: 'poster' } }],
  ['frames', { output: 'frame_%02d.png', preset: { name: 'frames' } }],
  ['web-h264', { output: 'h264.mp4', preset: { name: 'web-h264' } }],
  ['web-hevc', { output: 'hevc.mp4', preset: { name: 'web-hevc' } }],
  ['web-vp9', { output: 'vp9.webm', preset: { name: 'web-vp9' } }],
  ['mp4-ladder', { output: 'ladder.mp4', preset: { name: 'mp4-ladder' } }],
  ['looks-the-same', { output: 'same.mp4', preset: { name: 'looks-the-same' } }],
  ['compress', { output: 'small.mp4', preset: { name: 'compress' } }],
  ['target-size', { output: 'sized.mp4', preset: { name: 'target-size', arguments: { size: 1 } } }],
  ['vertical', { output: 'vertical.mp4', preset: { name: 'vertical' } }],
  ['a plain JPEG', { output: 'plain.jpg', parameters: { 'frames:v': '1' } }],
];

const colour = (text: string): readonly number[] => text.split(' ').map(Number);

for (const [name, transfer] of Object.entries(TRANSFERS))
  test.for(ROWS)(`${transfer} becomes ordinary colours: %s`, { tags: 'long' }, async ([, request]) => {
    const { convert } = await ready();
    const input = `${name}.mp4`;
    const options = { preset: { name: 'hdr-to-sdr' }, parameters: { y: '' } };
    const mapped = await convert({ input, output: `sdr-${name}.mp4`, ...options });
    const { job, file } = await convert({ input, ...request, output: `${name}-${request.output}` });
    expect(job.warnings ?? []).toEqual([]);
    const expected = colour((await seenFrames(mapped.file)).at(0));
    const seen = colour((await seenFrames(file.replace('%02d', '01'))).at(0));
    for (const [index, value] of seen.entries())
      expect(Math.abs(value - (expected[index] ?? 0))).toBeLessThanOrEqual(16);
    expect(expected).not.toEqual(colour((await seenFrames(join(dirname(mapped.file), input))).at(0)));
  });
