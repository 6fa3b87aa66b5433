import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';
import { outcomesOf } from '../support/outcomes.ts';
import { decodeVideo } from '../support/pixels.ts';
import { probe } from '../support/probe.ts';
import { seenFrames } from '../support/seen-frames.ts';

const test = needs('ffmpeg');

const ready = outcomesOf('lengths', async (folder) => {
  const colours = ['red', 'green', 'blue'];
  for (const colour of colours)
    await makeMedia(folder, '-f', 'lavfi', '-i', `color=${colour}:s=96x64`, '-frames:v', '1', `${colour}.png`);
  await writeFile(join(folder, 'l.txt'), colours.map((one, at) => `file ${one}.png\nduration ${at + 1}\n`).join(''));
  await makeMedia(folder, '-f', 'concat', '-i', 'l.txt', '-fps_mode', 'vfr', '-final_delay', '300', 'delays.gif');
  // Its times are multiples of 10 µs, which ffmpeg 5.1 takes for its frame rate.
  await makeMedia(folder, '-i', 'delays.gif', '-f', 'apng', '-plays', '0', '-fps_mode', 'vfr', 'moving.png');
  await makeMedia(folder, '-f', 'lavfi', '-i', 'sine=d=12', '-c:a', 'aac', 'tone.m4a');
  await makeMedia(folder, '-f', 'lavfi', '-i', 'sine=d=12', '-c:a', 'libmp3lame', '-write_xing', '0', 'tone.mp3');
  for (const size of ['96x64', '64x96'])
    await makeMedia(
      folder,
      '-f',
      'lavfi',
      '-i',
      `testsrc=s=${size}:r=25:d=1`,
      '-c:v',
      'libvpx',
      '-cpu-used',
      '8',
      `${size}.webm`,
    );
  await writeFile(join(folder, 'turn.txt'), 'file 96x64.webm\nfile 64x96.webm\n');
  await makeMedia(folder, '-f', 'concat', '-i', 'turn.txt', '-c', 'copy', 'turned.webm');
  const film = ['-f', 'lavfi', '-i', 'testsrc=s=96x64:r=5:d=9', '-i', 'tone.m4a', '-shortest', '-pix_fmt', 'yuv420p'];
  await makeMedia(folder, ...film, 'long.mp4');
  const still = ['-i', 'red.png', '-i', 'tone.m4a', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'copy'];
  await makeMedia(folder, ...still, 'one-frame.mp4');
  const late = ['-f', 'lavfi', '-i', 'testsrc=s=96x64:d=3', '-output_ts_offset', '5', '-c:v', 'libx264'];
  await makeMedia(folder, ...late, 'late.mkv');
  const parts = [...colours, 'white'].flatMap((one) => ['-f', 'lavfi', '-i', `color=${one}:s=96x64:r=25:d=1`]);
  const changing = [...parts, '-filter_complex', 'concat=n=4'];
  await makeMedia(folder, ...changing, '-c:v', 'libvpx', '-cpu-used', '8', '-live', '1', 'live.webm');
  await makeMedia(folder, ...changing, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', 'raw.h264');
});

test('a GIF keeps the delay of its last frame as a video', async () => {
  const { convert } = await ready();
  const { job, file } = await convert({ input: 'delays.gif', output: 'delays.mp4', preset: { name: 'web-h264' } });
  expect((await seenFrames(file)).end).toBeCloseTo(6, 0);
  expect(job.warnings ?? []).toEqual([]);
});

test.for(['gif', 'animated-webp', 'poster'])('%s of a video of one frame has this frame', async (name) => {
  const { convert } = await ready();
  const output = `one.${{ gif: 'gif', 'animated-webp': 'webp', poster: 'png' }[name] ?? ''}`;
  const { job } = await convert({ input: 'one-frame.mp4', output, preset: { name } });
  expect(job.outputs?.[0]?.sizeBytes).toBeGreaterThan(50);
});

test.for(['tone.m4a', 'tone.mp3'])('a picture with %s lasts as long as the sound', async (sound) => {
  const { convert } = await ready();
  const { file } = await convert({
    ...{ inputs: ['red.png', sound], output: `${sound}.mp4` },
    preset: { name: 'picture-and-sound' },
  });
  expect((await probe(file)).durationSeconds).toBeCloseTo(12, 0);
});

test.for(['delays.gif', 'moving.png'])('an image of %s is its first frame', async (input) => {
  const { convert } = await ready();
  const { job, file } = await convert({ input, output: `${input}.jpg` });
  expect((await seenFrames(file)).at(0)).toBe('255 0 0');
  expect(job.warnings ?? []).toEqual([]);
});

test('an APNG becomes a video with a rate that players show', async () => {
  const { convert } = await ready();
  const { file } = await convert({ input: 'moving.png', output: 'moving.mp4', preset: { name: 'web-h264' } });
  expect((await seenFrames(file)).times.length).toBeLessThan(500);
});

test('a GIF repeats for ever as a WebP', async () => {
  const { convert, server } = await ready();
  await convert({ input: 'delays.gif', output: 'delays.webp' });
  const bytes = await server.media.get('delays.webp');
  const at = bytes.indexOf('ANIM');
  expect(bytes.readUInt16LE(at + 12)).toBe(0);
});

test('a video whose times begin late fades out at its end, and is not called short', async () => {
  const { convert } = await ready();
  const { job } = await convert({ input: 'late.mkv', output: 'faded.mp4', preset: { name: 'fade' } });
  expect(job.outputs?.[0]?.durationSeconds).toBeCloseTo(3, 1);
  expect(job.warnings ?? []).toEqual([]);
});

test('a GIF of a recording whose size changes has all of it', async () => {
  const { convert } = await ready();
  const { file } = await convert({ input: 'turned.webm', output: 'turned.gif', preset: { name: 'gif' } });
  expect((await seenFrames(file)).end).toBeCloseTo(2, 1);
});

test.for([
  { output: 'late.mp4', parameters: { vf: 'trim=4,hue=s=0', an: '' }, lost: 'times of the frames' },
  { output: 'late-picture.mkv', parameters: { vf: 'trim=4', an: '', fps_mode: 'vfr' }, lost: 'start of the video' },
  { output: 'delayed.mkv', parameters: { af: 'asetpts=PTS+1/TB', vn: '' } },
  { output: 'late.m4a', parameters: { af: 'atrim=4:8', vn: '' }, lost: 'start of the audio' },
  { output: 'part.mp4', parameters: { vf: 'trim=4,setpts=PTS-STARTPTS', an: '' } },
  { output: 'part.ts', parameters: { vf: 'trim=4', an: '' } },
  { output: 'part.mp3', parameters: { af: 'atrim=4:8' } },
])('a part that keeps its times is told where players show nothing before it: %j', async ({ lost, ...request }) => {
  const { convert } = await ready();
  const { job } = await convert({ input: 'long.mp4', ...request });
  expect((job.warnings ?? []).map((one) => one.lost)).toEqual(lost === undefined ? [] : [lost]);
});

test.for(['live.webm', 'raw.h264'])('%s, whose header states no length, is shown whole by a sheet', async (input) => {
  const { own, convert } = await ready();
  const { body } = await own.request<{ format: object }>('/api/probe', { body: { input } });
  expect(body.format).toMatchObject({ durationSeconds: expect.closeTo(4, 1) });
  const { file } = await convert({
    ...{ input, output: `${input}.png` },
    preset: { name: 'contact-sheet', arguments: { columns: 4, rows: 1, width: 96 } },
  });
  const sheet = await decodeVideo(file, { width: 404, height: 72, rate: 1 });
  const seen = [52, 152, 252, 352].map((x) => sheet.pixelAt(0, x, 36).map((value) => (value > 64 ? 1 : 0)));
  expect(seen).toEqual([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 1],
  ]);
});
