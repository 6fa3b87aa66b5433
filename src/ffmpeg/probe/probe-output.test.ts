import { expect, test } from 'vitest';
import { toJobOutput } from './probe-output.ts';
import { parseProbeAnswer } from './read-answer.ts';

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
