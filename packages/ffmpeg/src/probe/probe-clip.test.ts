import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import type { ProbePlan } from './plan-probe.ts';
import type { ProbeOutcome } from './probe.ts';
import { probeClip, toJobOutput } from './probe-clip.ts';
import { parseProbeAnswer } from './read-answer.ts';

/** A film whose timestamps begin at 1 s, with a key frame at each even second of them. */
function film() {
  const plans: ProbePlan[] = [];
  const probe = async (plan: ProbePlan): Promise<ProbeOutcome> => {
    plans.push(plan);
    const interval = plan.argv[plan.argv.indexOf('-read_intervals') + 1] ?? '';
    const [asked, end] = interval.split('%').map((time) => Number(time) || 1) as [number, number];
    const format = { names: ['mpegts'], tags: {}, startSeconds: 1, durationSeconds: 60 };
    const streams = [{ index: 0, type: 'video' as const, dispositions: [], tags: {} }];
    const first = Math.max(1, Math.floor(asked / 2) * 2);
    const packets = Array.from({ length: Math.max(1, (end - first) / 2) }, (_, at) => {
      const seconds = first + 2 * at;
      return { stream: 0, seconds, durationSeconds: 2, isKey: true };
    });
    return {
      ok: true,
      info: { format, streams, chapters: [] } as unknown as Extract<ProbeOutcome, { ok: true }>['info'],
      clip: { packets, headers: new Map() } as unknown as NonNullable<Extract<ProbeOutcome, { ok: true }>['clip']>,
    };
  };
  return { plans, probe };
}

const clip = { path: 'a.ts' as MediaPath, logical: 'in/0.ts', options: [], needsLength: false, needsHeaders: true };

test('the starts of further parts take one probe each, and none at the start of the film', async () => {
  const { plans, probe } = film();
  const whole = await probeClip({ ...clip, start: 0 }, probe);
  expect(whole).toMatchObject({ ok: true, media: { keySeconds: 1 } });
  expect(plans).toHaveLength(1);
  if (!whole.ok) return;
  const known = whole.media;
  expect(await probeClip({ ...clip, start: 20.5, known }, probe)).toMatchObject({ media: { keySeconds: 20 } });
  expect(plans).toHaveLength(2);
  expect(await probeClip({ ...clip, start: 0, known }, probe)).toEqual(whole);
  expect(plans).toHaveLength(2);
});

test('the frame on screen at a start takes one probe, and two if the timestamps begin late', async () => {
  const { plans, probe } = film();
  const { needsHeaders: _, ...part } = clip;
  expect(await probeClip({ ...part, start: 20.5 }, probe)).toMatchObject({ media: { heldStarts: [20.5] } });
  expect(plans).toHaveLength(1);
  const late = async (plan: ProbePlan): Promise<ProbeOutcome> => {
    const found = await probe(plan);
    return found.ok
      ? { ...found, info: { ...found.info, format: { ...found.info.format, startSeconds: 900 } } }
      : found;
  };
  await probeClip({ ...part, start: 20.5 }, late);
  expect(plans.at(-1)?.argv.join(' ')).toContain('-read_intervals 920.5%930.5');
});

test('a frame of an MP4 is on screen until the next one, and the last one as long as the file states', async () => {
  const held = async (start: number): Promise<unknown> => {
    const found = await probeClip({ ...clip, needsHeaders: false, start }, async () => ({
      ok: true,
      info: {
        format: { names: ['mov', 'mp4'], tags: {} },
        streams: [{ index: 0, type: 'video', dispositions: [], tags: {} }],
        chapters: [],
      } as unknown as Extract<ProbeOutcome, { ok: true }>['info'],
      // Of reordered frames, ffprobe lists the usual length.
      clip: {
        packets: [0, 1.36, 1.8].map((seconds) => ({ stream: 0, seconds, durationSeconds: 0.04, isKey: seconds === 0 })),
        headers: new Map(),
      } as unknown as NonNullable<Extract<ProbeOutcome, { ok: true }>['clip']>,
    }));
    return found.ok && found.media.heldStarts;
  };
  expect(await held(1.51)).toEqual([1.51]);
  expect(await held(1.95)).toBeUndefined();
});

test('a file without a header is read with the options that describe it', async () => {
  const { plans, probe } = film();
  const options = ['-f', 's16le', '-sample_rate', '16000'];
  await probeClip({ ...clip, start: 3, options }, probe);
  expect(plans).toHaveLength(2);
  for (const { argv } of plans) expect(argv.join(' ')).toMatch(/ -f s16le -sample_rate 16000 .*-i file:in\/0\.ts$/);
});

const outputs = (streams: readonly object[], format: object = {}) => {
  const info = parseProbeAnswer(JSON.stringify({ streams, format: { format_name: 'matroska,webm', ...format } }));
  if (info === undefined) throw new Error('This is not a valid answer of ffprobe.');
  return toJobOutput(info);
};

test('converts a movie to the output of a job', () => {
  const video = { index: 0, codec_type: 'video', codec_name: 'h264', profile: 'High', width: 854, height: 480 };
  const audio = { index: 1, codec_type: 'audio', codec_name: 'aac', sample_rate: '48000', channel_layout: '5.1' };
  const streams = [
    { ...video, pix_fmt: 'yuv420p', avg_frame_rate: '24/1', disposition: { default: 1 } },
    { ...audio, tags: { language: 'deu' } },
  ];
  expect(outputs(streams, { duration: '30.022' })).toEqual({
    durationSeconds: 30.022,
    streams: [
      {
        ...{ index: 0, type: 'video', codec: 'h264', profile: 'High', disposition: ['default'] },
        ...{ width: 854, height: 480, fps: 24, pixelFormat: 'yuv420p' },
      },
      { index: 1, type: 'audio', codec: 'aac', language: 'deu', sampleRate: 48_000, channels: '5.1' },
    ],
  });
});

test('a cover has no frame rate', () => {
  const cover = { index: 0, codec_type: 'video', codec_name: 'png', avg_frame_rate: '25/1' };
  expect(outputs([{ ...cover, disposition: { attached_pic: 1 } }]).streams?.[0]).not.toHaveProperty('fps');
});

test('drops an invalid language, an unknown type and an unknown codec', () => {
  const streams = [
    { index: 0, codec_type: 'audio', tags: { language: 'eng)\n[info] Output #0' } },
    { index: 1, codec_type: 'hologram', codec_name: 'x' },
  ];
  expect(outputs(streams)).toEqual({ streams: [{ index: 0, type: 'audio', codec: 'unknown' }] });
});
