import { expect } from 'vitest';
import type { Check } from '../common-request.ts';
import { type MediaQuery, runQueries } from './ffmpeg-queries.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** A part of one frame. Default: the whole first frame. */
interface FramePart {
  /** Seconds. */
  readonly time?: number;
  /** `w:h:x:y`, as in the filter `crop`. */
  readonly region?: string;
}

/** The mean colour of a part of one frame. */
export const colourAt = async (file: string, part: FramePart = {}): Promise<Rgb> => (await coloursAt([file, part]))[0];

type FileFramePart = readonly [file: string, part?: FramePart];

/** Like `colourAt` for several parts, in one query. */
export async function coloursAt<P extends readonly [FileFramePart, ...FileFramePart[]]>(
  ...parts: P
): Promise<{ [I in keyof P]: Rgb }> {
  const [{ bytes }] = await runQueries({
    inputs: parts.map(([file]) => [file]),
    output: (indexes, name) => {
      const pixels = parts.map(([, { time = 0, region } = {}], i) => {
        const crop = region === undefined ? '' : `crop=${region},`;
        return `[${indexes[i]}:v]${crop}format=rgb24,scale=1:1:flags=area,trim=start=${time},setpts=N[p${i}]`;
      });
      const row = `${parts.map((_, i) => `[p${i}]`).join('')}${parts.length > 1 ? `hstack=${parts.length}` : 'null'}`;
      return [
        ...['-filter_complex', `${[...pixels, row].join(';')}[${name}]`, '-map', `[${name}]`],
        ...['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24'],
      ];
    },
  });
  const colours = parts.map((_, i): Rgb => {
    const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = bytes.subarray(3 * i);
    return [red, green, blue];
  });
  return colours as { [I in keyof P]: Rgb };
}

/** The default tolerance in each channel, of 255. */
const TOLERANCE = 14;

export function expectNear(found: Rgb, wanted: Rgb, tolerance = TOLERANCE): void {
  const difference = Math.max(...found.map((value, i) => Math.abs(value - (wanted[i] ?? Number.NaN))));
  expect(difference, `the colour is ${found}, wanted ${wanted}`).toBeLessThanOrEqual(tolerance);
}

/** A part of one frame has this mean colour. */
export const colour =
  (wanted: Rgb, part: FramePart = {}, tolerance = TOLERANCE): Check =>
  async ({ file }) => {
    expectNear(await colourAt(file, part), wanted, tolerance);
  };

/** A part of one frame has the mean colour of a part of `source`, an input by its path in the media root. */
export const sameColour =
  (part: FramePart, source: string, sourcePart: FramePart = part, tolerance = TOLERANCE): Check =>
  async ({ file, at }) => {
    const [found, wanted] = await coloursAt([file, part], [at(source), sourcePart]);
    expectNear(found, wanted, tolerance);
  };

export const BLACK: Rgb = [0, 0, 0];
export const RED: Rgb = [254, 0, 0];

/** The mean difference between two frames that follow each other, from 0 to 255, without the borders of the picture. */
export async function meanMotion(file: string): Promise<number> {
  const [{ bytes }] = await runQueries({
    inputs: [[file]],
    output: ([index], name) => {
      const graph = `[${index}:v]crop=iw/2:ih/2,format=gray,tblend=all_mode=difference,scale=1:1:flags=area[${name}]`;
      return ['-filter_complex', graph, '-map', `[${name}]`, '-f', 'rawvideo', '-pix_fmt', 'gray'];
    },
  });
  return bytes.reduce((sum, value) => sum + value, 0) / bytes.length;
}

/** The SSIM of two files, from 0 to 1, each after its own filters. Compares frames by their number. */
export async function ssim(a: string, b: string, filtersA = 'null', filtersB = 'null'): Promise<number> {
  const start = 'settb=1/24,setpts=N,format=yuv420p';
  const [{ log }] = await runQueries({
    inputs: [[a], [b]],
    output: ([indexA, indexB], name) => {
      const [graphA, graphB] = [`[${indexA}:v]${filtersA},${start}[a]`, `[${indexB}:v]${filtersB},${start}[b]`];
      const graph = `${graphA};${graphB};[a][b]ssim@${name}=shortest=1`;
      return ['-filter_complex', `${graph}[${name}]`, '-map', `[${name}]`, '-f', 'null'];
    },
  });
  return Number(/SSIM .*All:([\d.]+|inf)/.exec(log)?.[1]);
}

/** The SSIM that a good encoder reaches. */
const GOOD_SSIM = 0.93;

interface Comparison {
  /** Filters that give the result and the source the same size and times. */
  readonly result?: string;
  readonly source?: string;
  /** The SSIM that separates alike from unlike. */
  readonly threshold?: number;
}

/** Each frame of the result looks like that of `source`, an input. */
export const looksLike =
  (source: string, { result = 'null', source: filters = 'null', threshold = GOOD_SSIM }: Comparison = {}): Check =>
  async ({ file, at }) => {
    expect(await ssim(file, at(source), result, filters)).toBeGreaterThan(threshold);
  };

/** The result does not look like `source`: the filter had an effect. */
export const looksUnlike =
  (source: string, { result = 'null', source: filters = 'null', threshold = GOOD_SSIM }: Comparison = {}): Check =>
  async ({ file, at }) => {
    expect(await ssim(file, at(source), result, filters)).toBeLessThan(threshold);
  };

/** Every pixel of every frame equals that of `source` after `filters`. `sourceOptions`: input options for `source`. */
export const sameFrames =
  (source: string, filters = 'null', sourceOptions: readonly string[] = []): Check =>
  async ({ file, at }) => {
    const [found, wanted] = await runQueries(frameHash([file]), frameHash([...sourceOptions, at(source)], filters));
    expect(hashesIn(found.bytes)).toEqual(hashesIn(wanted.bytes));
    expect(hashesIn(found.bytes).length).toBeGreaterThan(0);
  };

const frameHash = (input: readonly string[], filters = 'null'): MediaQuery => ({
  inputs: [input],
  output: ([index]) => ['-map', `${index}:v:0`, '-vf', filters, '-fps_mode', 'passthrough', '-f', 'framemd5'],
});

const hashesIn = (table: Buffer): readonly string[] =>
  table
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('0,'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');

/** The hash of each decoded frame of the first video stream. */
export async function frameHashes(file: string, filters?: string): Promise<readonly string[]> {
  const [{ bytes }] = await runQueries(frameHash([file], filters));
  return hashesIn(bytes);
}

/** Logs what filters measure in the first video stream of a file. */
const measureVideo = (file: string, filters: (name: string) => string): MediaQuery => ({
  inputs: [[file]],
  output: ([index], name) => ['-map', `${index}:v:0`, '-vf', filters(name), '-f', 'null'],
});

/** The mean of the Sobel filter: how much of the picture is edges. */
export async function edgeStrength(file: string): Promise<number> {
  const [{ log }] = await runQueries(
    measureVideo(file, (name) => `format=gray,sobel,signalstats,metadata@${name}=print:key=lavfi.signalstats.YAVG`),
  );
  const values = [...log.matchAll(/YAVG=([\d.]+)/g)].map(([, value]) => Number(value));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The number of interlaced and of progressive frames, as the filter idet counts them. */
export async function countInterlaced(
  file: string,
): Promise<{ readonly interlaced: number; readonly progressive: number }> {
  const [{ log }] = await runQueries(measureVideo(file, (name) => `idet@${name}`));
  // ffmpeg 7.1 starts the filter twice. The first one sees no frame.
  const counts =
    [...log.matchAll(/Multi frame detection: TFF: *(\d+) BFF: *(\d+) Progressive: *(\d+)/g)]
      .at(-1)
      ?.slice(1)
      .map(Number) ?? [];
  const [top = Number.NaN, bottom = Number.NaN, progressive = Number.NaN] = counts;
  return { interlaced: top + bottom, progressive };
}
