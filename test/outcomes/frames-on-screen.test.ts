import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';
import { outcomesOf } from '../support/outcomes.ts';
import { seenFrames } from '../support/seen-frames.ts';

const test = needs('ffmpeg');

const [RED, GREEN, BLUE, GREY] = ['255 0 0', '0 128 0', '0 0 255', '128 128 128'];

/** A screen recording with audio, whose four pages are one frame each and are shown for 2, 6, 2 and 2 seconds. Also streams without a container. */
const ready = outcomesOf('frames-on-screen', async (folder) => {
  const pages = ['red', 'green', 'blue', 'gray'];
  const lengths = [2, 6, 2, 2];
  for (const page of pages)
    await makeMedia(folder, '-f', 'lavfi', '-i', `color=${page}:s=96x64`, '-frames:v', '1', `${page}.png`);
  const list = pages.map((page, at) => `file ${page}.png\nduration ${lengths[at]}`).join('\n');
  await writeFile(join(folder, 'pages.txt'), `${list}\n`);
  const encoded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const pagesWith = ['-f', 'concat', '-i', 'pages.txt', '-f', 'lavfi', '-i', 'sine=r=48000:d=12', '-fps_mode', 'vfr'];
  await makeMedia(folder, ...pagesWith, ...encoded, '-c:a', 'aac', 'screen.mkv');
  const bars = ['-f', 'lavfi', '-i', 'testsrc=s=96x64:r=25:d=2', '-bf', '2', '-g', '12'];
  await makeMedia(folder, ...bars, ...encoded, 'raw.h264');
  await makeMedia(folder, ...bars, '-c:v', 'mpeg2video', 'raw.m2v');
  await makeMedia(folder, ...bars, '-bf', '0', '-c:v', 'mjpeg', 'raw.mjpeg');
  await makeMedia(folder, ...bars, ...encoded, 'steady.mp4');
  await makeMedia(folder, ...bars, '-bf', '0', '-c:v', 'libvpx', '-deadline', 'realtime', 'no-average.ivf');
  const painted = pages.map((page, at) => `color=${page}:s=96x64:r=25:d=${lengths[at]}[${page}]`);
  const joined = `${painted.join(';')};${pages.map((page) => `[${page}]`).join('')}concat=n=4`;
  const film = ['-f', 'lavfi', '-i', joined, '-f', 'lavfi', '-i', 'sine=d=12', '-g', '150', '-sc_threshold'];
  await makeMedia(folder, ...film, '0', ...encoded, '-c:a', 'aac', 'pages.ts');
  await makeMedia(folder, ...film, '1000000000', '-c:v', 'mpeg2video', '-c:a', 'mp2', 'pages.mpg');
});

const convert = async (request: Parameters<Awaited<ReturnType<typeof ready>>['convert']>[0]) =>
  seenFrames((await (await ready()).convert(request)).file);

test.for(['raw.h264', 'raw.m2v'])(
  'makes an animation of %s from its start, although it cannot be searched',
  async (input) => {
    const gif = await convert({ input, output: `${input}.gif`, preset: { name: 'gif', arguments: { fps: 10 } } });
    expect(gif.times.length).toBeOneOf([20, 21]);
    expect(gif.end).toBeCloseTo(2, 0);
  },
);

test.for([
  { input: 'raw.h264', output: 'trim-h264.mp4', preset: { name: 'trim', arguments: { start: 0.52, end: 1.52 } } },
  { input: 'raw.mjpeg', output: 'trim-mjpeg.mp4', preset: { name: 'trim', arguments: { start: 0.52, end: 1.52 } } },
  { inputs: [{ input: 'raw.h264', parameters: { ss: '0.52' } }], output: 'part.mp4', parameters: { t: '1' } },
])('a part of a stream without a container is decoded from its start: %j', async (request) => {
  expect((await convert(request)).times).toHaveLength(25);
});

test('a video that states no average rate has half as many frames if it is twice as fast', async () => {
  const preset = { name: 'speed', arguments: { factor: 2 } };
  expect((await convert({ input: 'no-average.ivf', output: 'fast.mp4', preset })).times).toHaveLength(25);
});

test.for(['pages.ts', 'pages.mpg'])('a copied part of %s begins with the key frame before it', async (input) => {
  const copy = { preset: { name: 'cut-without-encoding', arguments: { start: 5, end: 8 } } };
  const part = await convert({ input, output: `part-of-${input}.mp4`, ...copy });
  expect([0, 1.5, 2.7, 7.5].map((time) => part.at(time))).toEqual([RED, RED, GREEN, GREEN]);
});

test('a copied part whose length the output limits has all of it behind the key frame', async () => {
  const inputs = [{ input: 'pages.ts', parameters: { ss: '5' } }];
  const part = await convert({ inputs, output: 'limited.mp4', parameters: { c: 'copy', t: '3' } });
  expect([0, 1.5, 2.7, 5.5].map((time) => part.at(time))).toEqual([RED, RED, GREEN, GREEN]);
});

test('copied parts of MPEG-TS begin with the key frames before them', async () => {
  const cut = { keep: [7, 11].map((start) => ({ start, end: start + 0.5 })) };
  const parts = await convert({ input: 'pages.ts', output: 'parts.mp4', cut, parameters: { c: 'copy' } });
  expect([0.2, 1.2, 3.2].map((time) => parts.at(time))).toEqual([GREEN, GREEN, BLUE]);
});

test('a copied part of a stream without times says how late it begins, and parts of it are not copied', async () => {
  const { convert: submit, own } = await ready();
  const parameters = { c: 'copy', t: '1' };
  const { job } = await submit({
    ...{ inputs: [{ input: 'raw.h264', parameters: { ss: '0.1' } }], output: 'late.mp4', parameters },
  });
  expect(job.warnings).toMatchObject([
    { code: 'UNEQUAL_LENGTHS', lost: 'start of the video', actual: expect.stringMatching(/^0\.2\d s$/) },
  ]);
  const cut = { keep: [{ start: 0.5, end: 1 }] };
  const call = { input: 'raw.h264', output: 'cut.mp4', cut, parameters: { c: 'copy' } };
  const { body } = await own.request('/api/conversion', { body: call });
  expect(body).toMatchObject({ errors: [{ code: 'NEEDS_ENCODER' }] });
});

test('trim begins with the page that is on screen then, and lasts as long as asked', async () => {
  const part = await convert({
    ...{ input: 'screen.mkv', output: 'trim.mp4' },
    preset: { name: 'trim', arguments: { start: 4, end: 9 } },
  });
  expect([0, 3.9, 4.1, 4.9].map((time) => part.at(time))).toEqual([GREEN, GREEN, BLUE, BLUE]);
  expect(part.times[0]).toBe(0);
  expect(part.end).toBeCloseTo(5, 1);
});

test('a poster shows the page of its time, also the last one', async () => {
  const poster = (at: number) =>
    convert({ input: 'screen.mkv', output: `at-${at}.png`, preset: { name: 'poster', arguments: { at, width: 96 } } });
  expect((await poster(5)).at(0)).toBe(GREEN);
  expect((await poster(11)).at(0)).toBe(GREY);
});

test('an image at the start of an output shows the page of its time', async () => {
  const image = (ss: string) =>
    convert({ input: 'screen.mkv', output: `plain-${ss}.png`, parameters: { ss, 'frames:v': '1' } });
  expect((await image('5')).at(0)).toBe(GREEN);
  expect((await image('11.9')).at(0)).toBe(GREY);
});

test('an animation begins with the page that is on screen then', async () => {
  const at = (from: number, name: string, output: string) =>
    convert({ input: 'screen.mkv', output, preset: { name, arguments: { start: from, length: 2 } } });
  const gif = await at(7, 'gif', 'seven.gif');
  expect([gif.at(0), gif.end]).toEqual([GREEN, expect.closeTo(2, 1)]);
  const last = await at(11, 'gif', 'eleven.gif');
  expect([last.at(0), last.end]).toEqual([GREY, expect.closeTo(1, 1)]);
});

test('joined parts show the pages of their times, and are as long as asked', async () => {
  const joined = await convert({
    inputs: [
      { input: 'screen.mkv', parameters: { ss: '4', t: '2' } },
      { input: 'screen.mkv', parameters: { ss: '11', t: '1' } },
    ],
    ...{ join: 'encode', output: 'joined.mp4' },
  });
  expect([0, 1.9, 2.1, 2.9].map((time) => joined.at(time))).toEqual([GREEN, GREEN, GREY, GREY]);
  expect(joined.end).toBeCloseTo(3, 1);
});

test('an overlay on a part shows the page of its time', async () => {
  const marked = await convert({
    inputs: [{ input: 'screen.mkv', parameters: { ss: '4', t: '2' } }, 'red.png'],
    ...{ output: 'marked.mp4', preset: { name: 'watermark', arguments: { opacity: 0 } } },
  });
  expect([marked.at(0), marked.at(1.9), marked.end]).toEqual([GREEN, GREEN, expect.closeTo(2, 1)]);
});

test('a film of a constant rate is cut as before', async () => {
  const part = await convert({
    ...{ input: 'steady.mp4', output: 'steady-part.mp4' },
    preset: { name: 'trim', arguments: { start: 0.5, end: 1.5 } },
  });
  expect(part.times).toHaveLength(25);
});

test.for(['looks-the-same', 'target-size', 'ladder-per-title'])(
  '%s begins a part with the page that is on screen then',
  { tags: 'long' },
  async (name) => {
    const output = name === 'ladder-per-title' ? 'ladder/part.m3u8' : `${name}.mp4`;
    const sized = name === 'target-size' && { arguments: { size: 0.2 } };
    const part = await convert({
      inputs: [{ input: 'screen.mkv', parameters: { ss: '4', to: '9' } }],
      ...{ output, preset: { name, ...sized } },
    });
    // The times of MPEG-TS do not begin at 0.
    const [start = 0] = part.times;
    expect([0, 3.9, 4.1, 4.9].map((time) => part.at(start + time))).toEqual([GREEN, GREEN, BLUE, BLUE]);
  },
);

test('each of several outputs begins with the page that is on screen then', { tags: 'long' }, async () => {
  const { own, server } = await ready();
  const pages = ['4', '7', '11', '0'].map((ss) => ({ output: `page-${ss}.png`, parameters: { ss, 'frames:v': '1' } }));
  expect(await own.run({ input: 'screen.mkv', outputs: pages })).toMatchObject({ status: 'COMPLETED' });
  const seen = await Promise.all(pages.map(({ output }) => seenFrames(join(server.mediaRoot, output))));
  expect(seen.map((one) => one.at(0))).toEqual([GREEN, GREEN, GREY, RED]);
});

test('two parts beside each other each begin with the page that is on screen then', { tags: 'long' }, async () => {
  const both = await convert({
    inputs: [
      { input: 'screen.mkv', parameters: { ss: '4', t: '2' } },
      { input: 'screen.mkv', parameters: { ss: '11', t: '1' } },
    ],
    output: 'both.mp4',
    parameters: { filter_complex: '[0:v][1:v]hstack,crop=iw/4:ih:iw*5/8:0' },
  });
  expect(both.at(0)).toBe(GREY);
});
