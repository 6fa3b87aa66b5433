import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { expect as Expect } from 'vitest';
import { loudnessOf } from '../support/loudness.ts';
import { countFrames, type DecodedVideo, decodeVideo } from '../support/pixels.ts';
import { decodesWithoutErrors, probe } from '../support/probe.ts';
import { BROKEN_FILES } from './broken-files.ts';
import type { ReadingClient, SeenPicture } from './reading-client.ts';
import { FILM_SECONDS } from './task-media.ts';
import type { Wish } from './wish.ts';

/** The result of a wish. */
interface Result {
  /** The absolute path of the first output. */
  readonly file: string;
  readonly pictures: readonly SeenPicture[];
  /** The absolute path of a file in the media root of the client. */
  readonly fileAt: (path: string) => string;
}

/** One of the ten tasks. */
export interface Task {
  readonly title: string;
  /** Does the task and checks the result. `root`: the media root of the client. */
  run(client: ReadingClient, root: string, expect: typeof Expect): Promise<void>;
}

type Check = (result: Result, expect: typeof Expect) => Promise<void>;

const task = (title: string, wish: Wish, check: Check): Task => ({
  title,
  async run(client, root, expect) {
    const { outputs, pictures } = await client.fulfil(wish);
    const fileAt = (path: string): string => join(root, path);
    const file = fileAt(outputs[0] ?? '');
    expect(await decodesWithoutErrors(file)).toBe(true);
    await check({ file, pictures, fileAt }, expect);
  },
});

async function decoded(file: string): Promise<DecodedVideo & { readonly width: number; readonly height: number }> {
  const { streams } = await probe(file);
  const { width = 0, height = 0, avg_frame_rate = '' } = streams.find(({ codec_type }) => codec_type === 'video') ?? {};
  const [frames = 0, seconds = 0] = avg_frame_rate.split('/').map(Number);
  const video = await decodeVideo(file, { width, height, rate: seconds === 0 ? 1 : frames / seconds });
  return { ...video, width, height };
}

const CHANNELS = ['red', 'lime', 'blue'] as const;

/** The primary colour of a pixel. */
function colourOf(pixel: readonly number[]): string {
  const bright = CHANNELS.filter((_, i) => (pixel[i] ?? 0) > 128);
  return bright.length === 1 ? String(bright[0]) : `rgb(${pixel.join()})`;
}

const kindsOf = async (file: string): Promise<readonly string[]> =>
  (await probe(file)).streams.map(({ codec_type, codec_name }) => `${codec_type} ${codec_name}`).toSorted();

export const TASKS: readonly Task[] = [
  task(
    'shrink under 500 kB',
    {
      words: 'shrink this video under 500 kB',
      files: ['film.mp4'],
      folder: 'small',
      values: [{ words: /megabytes/, value: 0.5 }],
    },
    async ({ file, fileAt }, expect) => {
      expect((await stat(fileAt('film.mp4'))).size).toBeGreaterThan(500_000);
      const { sizeBytes, durationSeconds } = await probe(file);
      expect(sizeBytes).toBeLessThan(500_000);
      expect(sizeBytes).toBeGreaterThan(300_000);
      expect(durationSeconds).toBeCloseTo(FILM_SECONDS, 0);
    },
  ),
  task(
    'an HLS ladder',
    { words: 'HLS stream with several qualities', files: ['film.mp4'], folder: 'hls' },
    async ({ file }, expect) => {
      const master = await readFile(file, 'utf8');
      const variants = [...master.matchAll(/^#EXT-X-STREAM-INF:.*RESOLUTION=\d+x(\d+).*\n(\S+)/gm)];
      expect(variants).toHaveLength(3);
      expect(new Set(variants.map(([, height]) => height)).size).toBe(3);
      for (const [, height, uri = ''] of variants) {
        const variant = join(dirname(file), uri);
        const { streams, durationSeconds } = await probe(variant);
        expect(streams.find(({ codec_type }) => codec_type === 'video')?.height).toBe(Number(height));
        expect(durationSeconds).toBeCloseTo(FILM_SECONDS, 0);
        expect(await decodesWithoutErrors(variant)).toBe(true);
      }
    },
  ),
  task(
    'a GIF with a palette of its own',
    {
      words: 'animated GIF with a good palette',
      files: ['film.mp4'],
      folder: 'gif',
      values: [
        { words: /width in pixels/, value: 160 },
        // The film begins with black, which every palette has.
        { words: /where .* begins/i, value: '5' },
        { words: /how long/i, value: '2' },
      ],
    },
    async ({ file }, expect) => {
      const { formats, streams } = await probe(file);
      expect([formats, streams]).toEqual([['gif'], [expect.objectContaining({ codec_name: 'gif', width: 160 })]]);
      expect(await countFrames(file)).toBeGreaterThan(10);
      const { pixelAt, width, height } = await decoded(file);
      const pixels = Array.from({ length: width * height }, (_, i) => pixelAt(0, i % width, Math.floor(i / width)));
      // Without a palette, ffmpeg rounds red, green and blue to 8, 8 and 4 levels.
      const isRounded = ([r = 0, g = 0, b = 0]: readonly number[]): boolean =>
        [r, g].every((one) => Math.abs(one - Math.round(one / 36.4) * 36.4) < 1) && b % 85 === 0;
      expect(pixels.filter(isRounded).length / pixels.length).toBeLessThan(0.5);
    },
  ),
  task(
    'a podcast at -16 LUFS',
    { words: 'podcast episode at -16 LUFS', files: ['talk.flac'], folder: 'podcast' },
    async ({ file, fileAt }, expect) => {
      expect(await kindsOf(file)).toEqual(['audio mp3']);
      expect(Math.abs((await loudnessOf(fileAt('talk.flac'))) + 16)).toBeGreaterThan(0.5);
      expect(Math.abs((await loudnessOf(file)) + 16)).toBeLessThanOrEqual(0.5);
    },
  ),
  task(
    'subtitles burnt in',
    { words: 'burn the subtitles into the picture', files: ['night.mp4', 'words.srt'], folder: 'burnt' },
    async ({ file }, expect) => {
      expect(await kindsOf(file)).toEqual(['video h264']);
      const { pixelAt, width, height } = await decoded(file);
      const brightIn = (from: number, to: number): number => {
        let count = 0;
        for (let y = from; y < to; y += 1)
          for (let x = 0; x < width; x += 1) if (Math.min(...pixelAt(1, x, y)) > 100) count += 1;
        return count;
      };
      expect(brightIn(0, Math.floor(height / 2))).toBe(0);
      expect(brightIn(Math.floor(height / 2), height)).toBeGreaterThan(30);
    },
  ),
  task(
    'a contact sheet, looked at',
    { words: 'contact sheet of the film', files: ['colours.mp4'], folder: 'sheet' },
    async ({ file, pictures }, expect) => {
      const cornersOf = async (picture: string) => {
        const { pixelAt, width, height } = await decoded(picture);
        return [colourOf(pixelAt(0, 20, 20)), colourOf(pixelAt(0, width - 20, height - 20))];
      };
      expect(await cornersOf(file)).toEqual(['red', 'blue']);
      expect(pictures).toHaveLength(1);
      for (const { bytes, text } of pictures) {
        expect(bytes.length).toBeLessThan(120_000);
        expect(text).toMatch(/\d+x\d+ (?:JPEG|PNG)/);
        const seen = `${file}.seen`;
        await writeFile(seen, bytes);
        expect(await cornersOf(seen)).toEqual(['red', 'blue']);
      }
    },
  ),
  task(
    'three clips of different sizes joined',
    {
      words: 'join three clips of different sizes',
      files: ['clip-wide.mp4', 'clip-tall.mp4', 'clip-square.mp4'],
      folder: 'joined',
    },
    async ({ file }, expect) => {
      expect(await kindsOf(file)).toEqual(['audio aac', 'video h264']);
      expect((await probe(file)).durationSeconds).toBeCloseTo(3, 0);
      const { pixelAt, width, height } = await decoded(file);
      const shown = [0.5, 1.5, 2.5].map((at) => colourOf(pixelAt(at, width / 2, height / 2)));
      expect(shown).toEqual(['red', 'lime', 'blue']);
    },
  ),
  task(
    'picture in picture',
    {
      words: 'picture in picture: camera in the corner of the screen',
      files: ['screen.mp4', 'camera.mp4'],
      folder: 'pip',
    },
    async ({ file }, expect) => {
      expect(await kindsOf(file)).toEqual(['audio aac', 'video h264']);
      const { pixelAt, width, height } = await decoded(file);
      expect(colourOf(pixelAt(1, 20, 20))).toBe('red');
      expect(colourOf(pixelAt(1, width - 40, height - 35))).toBe('blue');
    },
  ),
  task(
    'a slideshow with crossfades and music',
    {
      words: 'slideshow of photos with crossfades and music',
      files: ['photo-1.png', 'photo-2.png', 'photo-3.png', 'song.mp3'],
      folder: 'slides',
      values: [
        { words: /how long each image/i, value: 1 },
        { words: /length of a crossfade/i, value: 0.4 },
        { words: /size of the video/, value: '720p' },
      ],
    },
    async ({ file }, expect) => {
      expect(await kindsOf(file)).toEqual(['audio aac', 'video h264']);
      const { durationSeconds = 0 } = await probe(file);
      const { pixelAt, width, height, frames } = await decoded(file);
      const at = (seconds: number) => pixelAt(seconds, width / 2, height / 2);
      expect(frames).toBeGreaterThan(0);
      expect([0.1, durationSeconds / 2, durationSeconds - 0.2].map((seconds) => colourOf(at(seconds)))).toEqual([
        'red',
        'lime',
        'blue',
      ]);
      // In the middle of the first crossfade, both pictures are seen.
      const mixed = Array.from({ length: 20 }, (_, i) => at((i * durationSeconds) / 40));
      expect(mixed.some(([r = 0, g = 0]) => r > 60 && g > 60)).toBe(true);
      expect(await loudnessOf(file)).toBeGreaterThan(-40);
    },
  ),
  {
    title: 'the fault of each broken file',
    async run(client, root, expect) {
      const paths = await client.list('broken');
      expect(paths.toSorted()).toEqual(Object.keys(BROKEN_FILES).toSorted());
      const found: Record<string, string> = {};
      for (const path of paths) {
        const folder = `checked/${path.replaceAll(/\W/g, '-')}`;
        const faults = await client.faultsOf(path, { words: 'a video for the web', files: [], folder });
        found[path] = faults.join('\n');
      }
      const expected = Object.entries(BROKEN_FILES).map(([path, fault]) => [
        path,
        fault === undefined ? '' : expect.stringMatching(fault),
      ]);
      expect(found).toEqual(Object.fromEntries(expected));
      expect(JSON.stringify(found)).not.toContain(root);
    },
  },
];
