import { expect } from 'vitest';
import type { Check } from '../recipe.ts';
import { ask, type Question } from './run-ffmpeg.ts';

type Rgb = readonly [red: number, green: number, blue: number];

interface Spot {
  /** Seconds. */
  readonly time?: number;
  /** As the filter `crop` takes it: `w:h:x:y`; absent: the whole picture. */
  readonly region?: string;
}

/** The mean colour of a part of one frame. */
export const colourAt = async (file: string, spot: Spot = {}): Promise<Rgb> => (await coloursAt([file, spot]))[0];

type Place = readonly [file: string, spot?: Spot];

/** As `colourAt`, of several by one ffmpeg. */
export async function coloursAt<P extends readonly [Place, ...Place[]]>(
  ...places: P
): Promise<{ [I in keyof P]: Rgb }> {
  const [{ bytes }] = await ask({
    inputs: places.map(([file]) => [file]),
    output: (inputs, name) => {
      const pixels = places.map(([, { time = 0, region } = {}], i) => {
        const crop = region === undefined ? '' : `crop=${region},`;
        return `[${inputs[i]}:v]${crop}format=rgb24,scale=1:1:flags=area,trim=start=${time},setpts=N[p${i}]`;
      });
      const row = `${places.map((_, i) => `[p${i}]`).join('')}${places.length > 1 ? `hstack=${places.length}` : 'null'}`;
      return [
        ...['-filter_complex', `${[...pixels, row].join(';')}[${name}]`, '-map', `[${name}]`],
        ...['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24'],
      ];
    },
  });
  const colours = places.map((_, i): Rgb => {
    const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = bytes.subarray(3 * i);
    return [red, green, blue];
  });
  return colours as { [I in keyof P]: Rgb };
}

/** Of 255, in each channel. */
const NEAR = 14;

export function expectNear(found: Rgb, wanted: Rgb, near = NEAR): void {
  const far = Math.max(...found.map((value, i) => Math.abs(value - (wanted[i] ?? Number.NaN))));
  expect(far, `the colour is ${found}, wanted ${wanted}`).toBeLessThanOrEqual(near);
}

/** The mean colour of a part of one frame. */
export const colour =
  (wanted: Rgb, spot: Spot = {}, near = NEAR): Check =>
  async ({ file }) => {
    expectNear(await colourAt(file, spot), wanted, near);
  };

/** A part has the mean colour of a part of another file: of an input, by its path in the media root. */
export const sameColour =
  (spot: Spot, source: string, there: Spot = spot, near = NEAR): Check =>
  async ({ file, at }) => {
    const [found, wanted] = await coloursAt([file, spot], [at(source), there]);
    expectNear(found, wanted, near);
  };

export const BLACK: Rgb = [0, 0, 0];
export const RED: Rgb = [254, 0, 0];

/**
 * How alike the frames of two files are, from 0 to 1 (SSIM), each after a filtergraph of its own. Both are counted from
 * their first frame on.
 */
export async function likeness(a: string, b: string, ofA = 'null', ofB = 'null'): Promise<number> {
  const start = 'settb=1/24,setpts=N,format=yuv420p';
  const [{ log }] = await ask({
    inputs: [[a], [b]],
    output: ([placeA, placeB], name) => {
      const graph = `[${placeA}:v]${ofA},${start}[a];[${placeB}:v]${ofB},${start}[b];[a][b]ssim@${name}=shortest=1`;
      return ['-filter_complex', `${graph}[${name}]`, '-map', `[${name}]`, '-f', 'null'];
    },
  });
  return Number(/SSIM .*All:([\d.]+|inf)/.exec(log)?.[1]);
}

/** As a good encoder leaves it. */
const ALIKE = 0.93;

interface Compared {
  /** Filters that bring the result, or the source, to the same size and times as the other. */
  readonly result?: string;
  readonly source?: string;
  /** The least SSIM. */
  readonly least?: number;
}

/** Frame for frame the result looks like `source`, an input. */
export const looksLike =
  (source: string, { result = 'null', source: ofSource = 'null', least = ALIKE }: Compared = {}): Check =>
  async ({ file, at }) => {
    expect(await likeness(file, at(source), result, ofSource)).toBeGreaterThan(least);
  };

/** It does not: so the filter did something. */
export const looksUnlike =
  (source: string, { result = 'null', source: ofSource = 'null', least = ALIKE }: Compared = {}): Check =>
  async ({ file, at }) => {
    expect(await likeness(file, at(source), result, ofSource)).toBeLessThan(least);
  };

/** Every pixel of every frame is that of the source after `filters`. */
export const sameFrames =
  (source: string, filters = 'null', part: readonly string[] = []): Check =>
  async ({ file, at }) => {
    const [found, wanted] = await ask(frameHash([file]), frameHash([...part, at(source)], filters));
    expect(hashesIn(found.bytes)).toEqual(hashesIn(wanted.bytes));
    expect(hashesIn(found.bytes).length).toBeGreaterThan(0);
  };

const frameHash = (input: readonly string[], filters = 'null'): Question => ({
  inputs: [input],
  output: ([place]) => ['-map', `${place}:v:0`, '-vf', filters, '-fps_mode', 'passthrough', '-f', 'framemd5'],
});

const hashesIn = (table: Buffer): readonly string[] =>
  table
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('0,'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');

/** The hash of each decoded frame of the first video stream. */
export async function frameHashes(file: string, filters?: string): Promise<readonly string[]> {
  const [{ bytes }] = await ask(frameHash([file], filters));
  return hashesIn(bytes);
}

/** What filters say of the first video stream of a file. */
const seen = (file: string, filters: (name: string) => string): Question => ({
  inputs: [[file]],
  output: ([place], name) => ['-map', `${place}:v:0`, '-vf', filters(name), '-f', 'null'],
});

/** How much of the picture is edges, by the mean of its Sobel filter. */
export async function edges(file: string): Promise<number> {
  const [{ log }] = await ask(
    seen(file, (name) => `format=gray,sobel,signalstats,metadata@${name}=print:key=lavfi.signalstats.YAVG`),
  );
  const values = [...log.matchAll(/YAVG=([\d.]+)/g)].map(([, value]) => Number(value));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How many frames are of two times, as the filter idet counts them, and how many of one. */
export async function interlacing(
  file: string,
): Promise<{ readonly interlaced: number; readonly progressive: number }> {
  const [{ log }] = await ask(seen(file, (name) => `idet@${name}`));
  const counts =
    /Multi frame detection: TFF: *(\d+) BFF: *(\d+) Progressive: *(\d+)/.exec(log)?.slice(1).map(Number) ?? [];
  const [top = Number.NaN, bottom = Number.NaN, progressive = Number.NaN] = counts;
  return { interlaced: top + bottom, progressive };
}
