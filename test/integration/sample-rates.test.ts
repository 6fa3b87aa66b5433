import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { fillArgv } from '../../packages/ffmpeg/src/sampling/fill-argv.ts';
import { scratch } from '../fixtures/conversion.ts';
import { SOURCES } from '../support/chunk-sources.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { ffmpegIn, ffprobeIn } from '../support/run-chunks.ts';
import { sampled } from '../support/sampled.ts';

const test = needs('ffmpeg');

/** Between two frames, so that rounded times show. */
const SAMPLE = { start: 3.345, seconds: 1.5 };
const FILE = 'pass/sample-0.nut';

/** The argv that encodes the sample. */
function sampleOf({ search }: Plan): readonly string[] {
  if (search === undefined) throw new Error('The plan has no samples.');
  const { start, each } = search.samples.encode;
  return [...fillArgv(start, SAMPLE), ...each, '-crf', '40', '-s:v', '64x36', '-f', 'nut', `file:${FILE}`];
}

const X264 = { 'c:v': 'libx264', preset: 'ultrafast' };
const QUALITY = { output: 'b.mp4', quality: { target: 0.95 } } as const;

const withKeys = (forced: string): Omit<ConversionRequest, 'input'> => ({
  ...QUALITY,
  parameters: { ...X264, force_key_frames: forced },
});

/** `keys`: the numbers of the key frames in the sample. It has 45 frames, and its first one is at 3.37 s. */
type Row = readonly [what: string, request: Omit<ConversionRequest, 'input'>, keys: readonly number[]];

const REQUESTS: readonly Row[] = [
  ['for a quality target', { ...QUALITY, parameters: X264 }, [0]],
  ['at a constant frame rate', { ...QUALITY, parameters: { ...X264, fps_mode: 'cfr' } }, [0]],
  ['with forced key frames', withKeys('expr:gte(t,n_forced*1)'), [0, 30]],
  ['with listed key frames, which belong to the whole video', withKeys('0,1,2,3,4.36'), [0]],
  [
    'of a ladder',
    { output: 'hls/b.m3u8', parameters: { ...X264, hls_time: '1', an: '' }, ladder: { target: 0.9 } },
    [0, 30],
  ],
  ['for a frame size', { output: 'b.mp4', parameters: { ...X264, 'b:v': '60k', an: '' }, frameSize: 'auto' }, [0]],
];

/** A folder for the runs of a plan, with its input. */
async function folderFor(request: Omit<ConversionRequest, 'input'>, ofInput: Parameters = {}) {
  const dir = await scratch();
  const plan = wholePlan({ ...request, inputs: [{ input: await SOURCES.ntsc(dir), parameters: ofInput }] });
  const [{ logical } = { logical: '' }] = plan.inputs;
  await rename(join(dir, 'in/ntsc.mp4'), join(dir, logical));
  await mkdir(join(dir, 'pass'));
  return { dir, plan };
}

const keysOf = (packets: readonly { readonly flags: string }[]): readonly number[] =>
  packets.flatMap(({ flags }, at) => (flags.startsWith('K') ? [at] : []));

test.for(sampled(REQUESTS, 3))(
  'the encoder of a sample %s gets the frame rate and the frames of the video',
  async ([, request, keys]) => {
    const { dir, plan } = await folderFor(request);
    await ffmpegIn(dir, sampleOf(plan));
    const stdout = await ffprobeIn(dir, [
      ...['-v', 'error', '-show_entries', 'stream=r_frame_rate,level:packet=flags', '-of', 'json', FILE],
    ]);
    const { streams, packets } = JSON.parse(stdout) as {
      readonly streams: readonly { readonly r_frame_rate: string; readonly level: number }[];
      readonly packets: readonly { readonly flags: string }[];
    };
    // libx264 chooses the level by the frame rate.
    expect(streams).toMatchObject([{ r_frame_rate: '30000/1001', level: expect.toSatisfy((level) => level < 20) }]);
    expect(packets.length).toBe(45);
    expect(keysOf(packets)).toEqual(keys);
  },
);
