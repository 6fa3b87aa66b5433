import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { ladderSampleFile } from '../../packages/contract/src/domain/ladder.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { encodeArgv } from '../../packages/ffmpeg/src/run/ladder/fill-argv.ts';
import { withSample, withValue } from '../../packages/ffmpeg/src/run/quality/fill-placeholders.ts';
import { scratch } from '../fixtures/conversion.ts';
import { SOURCES } from '../support/chunk-sources.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { ffmpegIn, ffprobeIn } from '../support/run-chunks.ts';
import { sampled } from '../support/sampled.ts';

const test = needs('ffmpeg');

/** Between two frames, so that rounded times show. */
const SAMPLE = { start: 3.345, seconds: 1.5 };
const TRIES = Array.from({ length: 4 }, () => ({ size: { width: 64, height: 36 }, value: 40 }));

/** The argv that encodes the sample, and its file. */
function sampleOf({ quality, ladder, frameSize }: Plan): readonly [argv: readonly string[], file: string] {
  if (quality !== undefined) return [withSample(withValue(quality.encode, 40), SAMPLE), quality.sampleFile];
  const sized = ladder ?? frameSize?.samples;
  if (sized === undefined || 'none' in sized) throw new Error('The plan has no samples.');
  return [encodeArgv(sized, SAMPLE, TRIES), ladderSampleFile(0)];
}

const X264 = { 'c:v': 'libx264', preset: 'ultrafast' };
const QUALITY = { output: 'b.mp4', quality: { target: 0.95 } } as const;

const REQUESTS: readonly (readonly [what: string, request: Omit<ConversionRequest, 'input'>])[] = [
  ['for a quality target', { ...QUALITY, parameters: X264 }],
  ['at a constant frame rate', { ...QUALITY, parameters: { ...X264, fps_mode: 'cfr' } }],
  ['with forced key frames', { ...QUALITY, parameters: { ...X264, force_key_frames: 'expr:gte(t,n_forced*1)' } }],
  ['with listed key frames', { ...QUALITY, parameters: { ...X264, force_key_frames: '0,1,2,3,4.36' } }],
  ['of a ladder', { output: 'hls/b.m3u8', parameters: { ...X264, hls_time: '1', an: '' }, ladder: { target: 0.9 } }],
  ['for a frame size', { output: 'b.mp4', parameters: { ...X264, 'b:v': '60k', an: '' }, frameSize: 'auto' }],
];

test.for(sampled(REQUESTS, 3))(
  'the encoder of a sample %s gets the frame rate and the frames of the video',
  async ([, request]) => {
    const dir = await scratch();
    const plan = wholePlan({ input: await SOURCES.ntsc(dir), ...request });
    const [{ logical } = { logical: '' }] = plan.inputs;
    await rename(join(dir, 'in/ntsc.mp4'), join(dir, logical));
    const [argv, file] = sampleOf(plan);
    await mkdir(join(dir, 'pass'));
    await ffmpegIn(dir, argv);
    const stdout = await ffprobeIn(dir, [
      ...['-v', 'error', '-show_entries', 'stream=r_frame_rate,level:packet=flags', '-of', 'json', file],
    ]);
    const { streams, packets } = JSON.parse(stdout) as {
      readonly streams: readonly { readonly r_frame_rate: string; readonly level: number }[];
      readonly packets: readonly { readonly flags: string }[];
    };
    // libx264 chooses the level by the frame rate.
    expect(streams).toMatchObject([{ r_frame_rate: '30000/1001', level: expect.toSatisfy((level) => level < 20) }]);
    expect(packets.length).toBe(45);
    const keys = packets.flatMap(({ flags }, at) => (flags.startsWith('K') ? [at] : []));
    expect(keys).toEqual(/n_forced|4\.36/.test(argv.join(' ')) ? [0, 30] : [0]);
  },
);
