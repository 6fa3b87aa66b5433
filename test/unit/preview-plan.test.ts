import { expect, test } from 'vitest';
import type { MediaInfo } from '../../packages/contract/src/domain/media-info.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { maxPreviewBytes } from '../../packages/contract/src/domain/preview.ts';
import { chooseFrame } from '../../packages/ffmpeg/src/plan/preview/brightness.ts';
import { candidatesOf, chooseImage } from '../../packages/ffmpeg/src/plan/preview/candidates.ts';
import { fileFactsOf } from '../../packages/ffmpeg/src/plan/preview/file-facts.ts';
import { layoutOf, timesOf } from '../../packages/ffmpeg/src/plan/preview/layout.ts';
import { framesArgv } from '../../packages/ffmpeg/src/plan/preview/preview-argv.ts';
import { readRate, videoOf } from '../../packages/ffmpeg/src/plan/preview/shown-streams.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

const HD = { width: 1920, height: 1080 };
const infoOf = (...streams: readonly Partial<MediaInfo['streams'][number]>[]): MediaInfo => ({
  format: { names: ['mov', 'mp4'], durationSeconds: 10, tags: {} },
  streams: streams.map((one, index) => ({ index, type: 'video', disposition: [], tags: {}, ...one })),
  chapters: [],
});

test('a picture is as a player shows it: turned, with square pixels, and the film rather than the cover', () => {
  const sd = { width: 720, height: 576, sampleAspectRatio: '64:45' };
  expect(videoOf(infoOf(sd))).toMatchObject({ width: 1024, height: 576, durationSeconds: 10 });
  expect(videoOf(infoOf({ ...sd, rotationDegrees: -90 }))).toMatchObject({ width: 576, height: 1024 });
  expect(videoOf(infoOf({ ...sd, sampleAspectRatio: '1:99999' }))).toMatchObject({ width: 720 });
  expect(videoOf(infoOf({ ...HD, isAttachedPicture: true }, sd))).toMatchObject({ index: 1, isStill: false });
  expect(videoOf(infoOf({ type: 'audio' }, { ...HD, isAttachedPicture: true }))).toMatchObject({
    index: 1,
    isStill: true,
  });
  expect(videoOf(infoOf({ type: 'audio' }))).toBeUndefined();
});

test('the facts of a file have its stored pixels, turned as in a player, and a cover is no picture of a sound', () => {
  const scaled = { width: 640, height: 360, sampleAspectRatio: '1281:1280' };
  expect(fileFactsOf(infoOf(scaled))).toEqual({ durationSeconds: 10, width: 640, height: 360 });
  expect(fileFactsOf(infoOf({ ...HD, rotationDegrees: 90 }, { type: 'audio' }))).toEqual({
    ...{ durationSeconds: 10, width: 1080, height: 1920 },
  });
  expect(fileFactsOf(infoOf({ type: 'audio' }, { ...HD, isAttachedPicture: true }))).toEqual({ durationSeconds: 10 });
  const still = infoOf(HD);
  const photo = { ...still, format: { ...still.format, names: ['png_pipe'], durationSeconds: 0.04 } };
  expect(fileFactsOf(photo)).toEqual(HD);
  const { durationSeconds: _, ...format } = still.format;
  expect(fileFactsOf({ ...still, format })).toEqual(HD);
  expect(fileFactsOf({ ...still, format }, 7.5)).toEqual({ ...HD, durationSeconds: 7.5 });
});

test('no shape of picture makes a preview of more pixels than allowed, or enlarges a frame', () => {
  for (const picture of [HD, { width: 1080, height: 1920 }, { width: 30_000, height: 2 }, { width: 2, height: 30_000 }])
    for (const spec of [
      { view: 'frame' },
      { view: 'sheet' },
      { view: 'sheet', columns: 8, rows: 8, width: 16 },
    ] as const) {
      const { size, tile } = layoutOf(spec, [picture]);
      const gaps = 64 * 5000;
      expect(size.width * size.height, JSON.stringify([picture, spec])).toBeLessThanOrEqual(2 ** 20 + gaps);
      expect(tile.width).toBeLessThanOrEqual(Math.max(2, picture.width));
      expect(Math.min(tile.width, tile.height)).toBeGreaterThanOrEqual(2);
    }
  expect(layoutOf({ view: 'sheet' }, [HD])).toMatchObject({ columns: 4, rows: 4, size: { width: 1280 } });
  expect(maxPreviewBytes(1280 * 724)).toBe(120_000);
});

test('two files have tiles of one size, into which each fits without being stretched', () => {
  const { columns, tile, frames } = layoutOf({ view: 'frame' }, [
    { width: 640, height: 360 },
    { width: 360, height: 360 },
  ]);
  expect([columns, tile, frames]).toEqual([2, { width: 510, height: 287 }, [tile, { width: 287, height: 287 }]]);
});

test('the smaller of two files that are compared is scaled up to the size of the other', () => {
  const { tile, frames } = layoutOf({ view: 'frame' }, [
    { width: 854, height: 480 },
    { width: 250, height: 140 },
  ]);
  expect(frames).toEqual([tile, { width: tile.width, height: expect.closeTo(tile.height, -0.5) }]);
});

test('the frames of a sheet are in the middles of equal parts; a frame is in the middle of the film', () => {
  expect(timesOf({ view: 'sheet', columns: 2, rows: 2 }, 8, 1)).toEqual({ times: [1, 3, 5, 7], nearKeyFrames: false });
  expect(timesOf({ view: 'sheet', columns: 2, rows: 2 }, 7200, 1).nearKeyFrames).toBe(true);
  expect(timesOf({ view: 'sheet', columns: 2, rows: 2 }, 7200, 2).nearKeyFrames).toBe(false);
  expect(timesOf({ view: 'frame' }, 8, 1).times).toEqual([4]);
  expect(timesOf({ view: 'frame', at: 5 }, undefined, 1).times).toEqual([0]);
});

test('the samples of a long recording fit into the memory', () => {
  const sound = { index: 1, sampleRate: 48_000 };
  expect(readRate('spectrogram', sound, 60)).toBe(48_000);
  for (const seconds of [7200, 36_000, 86_400])
    expect(readRate('spectrogram', sound, seconds) * seconds).toBeLessThanOrEqual(86_400_000);
  expect(readRate('waveform', { ...sound, sampleRate: 4000 }, 1)).toBe(4000);
});

test('sends the best quality that fits, and of equal ones the smallest', () => {
  const sizes = { 'out/p.png': 300, 'out/j0.jpg': 200, 'out/j1.jpg': 90, 'out/j2.jpg': 50 };
  const written = candidatesOf({ view: 'frame' }, false).flatMap((one) => {
    const sizeBytes = (sizes as Record<string, number>)[one.logical];
    return sizeBytes === undefined ? [] : [{ ...one, sizeBytes }];
  });
  const chosen = (maxBytes: number) => chooseImage(written, maxBytes)?.logical;
  expect([400, 250, 100, 60, 10].map(chosen)).toEqual([
    'out/j0.jpg',
    'out/j0.jpg',
    'out/j1.jpg',
    'out/j2.jpg',
    undefined,
  ]);
});

test('opens each input under the restrictions of conversions, with the limits of the client', () => {
  const input = { logical: 'in/0.mp4', path: 'a.mp4' as MediaPath };
  const frame = { input, stream: 2, time: 1.5, search: 'exact', chain: 'null', tile: 'out/t000.png' } as const;
  const argv = framesArgv([frame, { ...frame, search: 'key frame' }], {
    catalogue: recordedCatalogue(),
    policy: { pixels: 1000, threads: 8 },
    cores: 8,
  }).join(' ');
  expect(
    argv.match(/-max_pixels 1000 -threads 2 (?:-noaccurate_seek )?-ss 1\.5 -protocol_whitelist file /g),
  ).toHaveLength(2);
  expect(argv).toContain('-map 0:2 -filter:v null -frames:v 1');
  expect(argv).toContain('-map 1:2');
});

test('without a requested time, other frames than that of the middle can be shown', () => {
  expect(timesOf({ view: 'frame' }, 10, 1).alternatives).toEqual({ times: [3.5, 6.5, 2, 8], nearKeyFrames: false });
  // An exact search in a long film would take long.
  expect(timesOf({ view: 'frame' }, 7200, 1).alternatives?.nearKeyFrames).toBe(true);
  expect(timesOf({ view: 'frame' }, 7200, 2).alternatives?.nearKeyFrames).toBe(false);
  for (const [spec, duration] of [
    [{ view: 'frame', at: 5 }, 10],
    [{ view: 'frame' }, undefined],
    [{ view: 'frame' }, 0],
    [{ view: 'sheet' }, 10],
  ] as const)
    expect(timesOf(spec, duration, 1).alternatives, JSON.stringify(spec)).toBeUndefined();
});

test('shows the first frame that is not black, or else the brightest one', () => {
  const chosen = (...values: readonly (number | undefined)[]) =>
    chooseFrame(values.map((brightness) => ({ brightness })))?.brightness;
  expect(chosen(3, 15, 90, 200)).toBe(90);
  expect(chosen(3, 15, 9)).toBe(15);
  // Brightness that is not known is no reason to show another frame.
  expect(chosen(undefined, 200)).toBeUndefined();
  expect(chooseFrame([])).toBeUndefined();
});

test('the brightness of a frame is measured from the frame itself, by the run that writes its tile', () => {
  const input = { logical: 'in/0.mp4', path: 'a.mp4' as MediaPath };
  const frame = { input, stream: 2, time: 1.5, search: 'exact', chain: 'null', tile: 'out/t000.png' } as const;
  const facts = { catalogue: recordedCatalogue(), policy: {}, cores: 2 };
  const argv = framesArgv([frame, { ...frame, brightnessFile: 'out/l1.gray' }], facts).join(' ');
  expect(argv).toContain(
    '-map 1:2 -filter:v scale=w=16:h=16:flags=area,format=gray -frames:v 1 -fps_mode passthrough -c:v rawvideo -f rawvideo file:out/l1.gray',
  );
  expect(argv.match(/-f rawvideo/g)).toHaveLength(1);
});
