import type { RequestResult } from '../common-request.ts';
import { describeFile } from './container.ts';
import { type MediaQuery, runQueries } from './ffmpeg-queries.ts';
import { ssim } from './picture.ts';

/** The width of a picture divided by its height, as it is shown and as it is stored, and the number of its pixels. */
interface Shape {
  readonly shown: number;
  readonly stored: number;
  readonly pixels: number;
}

/** What can be seen and heard in a file. */
interface Perceived {
  /** The type of each stream, such as `video`. */
  readonly kinds: readonly string[];
  /** The length that the container states, in seconds. */
  readonly seconds: number;
  readonly shape?: Shape;
  /** How many pictures were looked at. */
  readonly pictures: number;
  /** Seconds in which a part of the picture is not black. A still counts as one frame. */
  readonly visible: number;
  /** Seconds in which the sound is not silent. */
  readonly audible: number;
}

/** Pictures and windows of sound per second that are looked at. */
const PER_SECOND = 10;
const SAMPLE_RATE = 8000;
/** −60 dB of 16 bits. */
const SILENCE_LEVEL = 2 ** 15 / 1000;
/** Brighter parts than this are not black. */
const BLACK_LEVEL = 32;
/** A part is a cell of this grid. */
const GRID = { columns: 16, rows: 9 } as const;

/** Seconds by which a result may be shorter: frames, and what encoders of sounds add. */
const SHORTER = 0.25;
/** Above this SSIM, two films are of the same pictures, also if they are encoded in another way. */
const SAME_PICTURES = 0.8;
/** By how much a result may differ more from the input than the one before. */
const SSIM_TOLERANCE = 0.02;
const SHAPE_TOLERANCE = 0.02;
/** Outputs of segments are alike, so the first ones are compared. */
const COMPARED_FILES = 3;

/** What a fix is meant to change, so that it is not worse. */
interface MeantChanges {
  readonly picture?: boolean;
  /** The pictures are others each time, such as those of a game of life. */
  readonly isRandom?: boolean;
  /** The picture gets the size of an input. */
  readonly inputSize?: boolean;
  /** The picture gets another shape. */
  readonly shape?: boolean;
}

/**
 * What is worse about `after` than about `before`, the results of two requests, each as a sentence. Empty if nothing is. The sources are
 * the host paths of the inputs: a picture that changed is worse if it is less like them, unless it is meant to change.
 */
export async function worsenings(
  before: RequestResult,
  after: RequestResult,
  sources: readonly string[],
  meant: MeantChanges = {},
): Promise<readonly string[]> {
  const { outputs: were = [] } = before.job;
  const { outputs: are = [] } = after.job;
  if (are.length < were.length) return [`${are.length} files instead of ${were.length}`];
  const found = await Promise.all(
    were
      .slice(0, COMPARED_FILES)
      .map(({ path }, index) => compareFiles(before.at(path), after.at(are[index]?.path ?? ''), sources, meant)),
  );
  return found.flat();
}

/** Whether two results of one request have other pictures, because a filter is random. */
export async function isRandom(one: RequestResult, other: RequestResult): Promise<boolean> {
  const toOther = await likeness(one.file, { path: other.file, shape: undefined });
  return toOther < SAME_PICTURES && (await likeness(one.file, { path: one.file, shape: undefined })) >= SAME_PICTURES;
}

async function compareFiles(
  before: string,
  after: string,
  paths: readonly string[],
  meant: MeantChanges,
): Promise<readonly string[]> {
  const was = await perceive(before);
  // A text, such as a list of checksums.
  if (was === undefined) return [];
  const is = await perceive(after);
  if (is === undefined) return ['not a media file any more'];
  const found: string[] = [];
  const lost = was.kinds.filter((kind) => count(is.kinds, kind) < count(was.kinds, kind));
  if (lost.length > 0) found.push(`streams ${is.kinds} instead of ${was.kinds}`);
  for (const [name, what] of [
    ['seconds', 'long'],
    ['visible', 'not black'],
    ['audible', 'not silent'],
  ] as const)
    if (is[name] < was[name] - SHORTER && !(name === 'visible' && meant.isRandom))
      found.push(`${is[name]} s ${what} instead of ${was[name]} s`);
  if (was.visible > 0 && is.visible === 0) found.push('black');
  if (was.shape === undefined || is.shape === undefined) return found;
  const sources = await Promise.all(paths.map(async (path) => ({ path, shape: (await perceive(path))?.shape })));
  found.push(...compareShapes(was.shape, is.shape, sources, meant));
  // Without a picture before, no picture is worse.
  if (meant.picture !== true && meant.isRandom !== true && was.pictures > 0)
    found.push(...(await comparePictures({ path: before, shape: was.shape }, after, sources)));
  return found;
}

const count = (kinds: readonly string[], kind: string): number => kinds.filter((one) => one === kind).length;

/** The picture has the shape that the one before was shown in or stored in, or that of an input, and no less than half of its pixels. */
function compareShapes(
  was: Shape,
  is: Shape,
  sources: readonly Pick<Film, 'shape'>[],
  { inputSize = false, shape = false }: MeantChanges,
): readonly string[] {
  const shapes = [was.shown, was.stored, ...sources.flatMap(({ shape }) => shape?.shown ?? [])];
  const isSmall =
    is.pixels < was.pixels / 2 && !(inputSize && sources.some(({ shape }) => shape?.pixels === is.pixels));
  return [
    ...(shape || shapes.some((one) => isSameShape(one, is.shown)) ? [] : [`shape ${is.shown} instead of ${shapes}`]),
    ...(isSmall ? [`${is.pixels} pixels instead of ${was.pixels}`] : []),
  ];
}

const isSameShape = (a: number, b: number): boolean => Math.abs(a / b - 1) < SHAPE_TOLERANCE;

/** A file, and the shape of its picture. */
interface Film {
  readonly path: string;
  readonly shape: Shape | undefined;
}

async function comparePictures(before: Film, after: string, sources: readonly Film[]): Promise<readonly string[]> {
  const change = await likeness(after, before);
  if (change >= SAME_PICTURES) return [];
  const compared = await Promise.all(
    sources.map(async (source) => ({ was: await likeness(before.path, source), is: await likeness(after, source) })),
  );
  if (compared.some((one) => one.is >= one.was - SSIM_TOLERANCE && one.is > 0)) return [];
  const shown = compared.map((one) => `${one.is} instead of ${one.was}`).join(', ');
  return [`SSIM ${change} to the result before, to the inputs ${shown}`];
}

/** The same size and range of colours for both. */
const SIZE = 'scale=320:180,setsar=1,format=rgb24';

/** Leaves the bars out around a picture that is shown in this shape. */
const withoutBars = (shape: number): string =>
  `scale=iw*sar:ih,setsar=1,crop=min(iw\\,ih*${shape}):min(ih\\,iw/${shape}),`;

/**
 * The highest SSIM of a file and the one that it should be like: at the same times, or by the numbers of frames, with or without the bars
 * that fit its picture into another shape. 0 if one has no picture.
 */
async function likeness(path: string, { path: like, shape }: Film): Promise<number> {
  const filters = [SIZE, `fps=${PER_SECOND}:start_time=0,${SIZE}`];
  const bars = shape === undefined ? [''] : ['', withoutBars(shape.shown)];
  const found = await Promise.all(
    bars.flatMap((cut) => filters.map((one) => ssim(path, like, `${cut}${one}`, one).catch(() => 0))),
  );
  return Math.max(...found.map((one) => (Number.isNaN(one) ? 0 : one)));
}

/** undefined if ffmpeg cannot read the file. */
async function perceive(file: string): Promise<Perceived | undefined> {
  const described = await describeFile(file).catch(() => undefined);
  if (described === undefined || described.streams.length === 0) return undefined;
  const { streams, format } = described;
  const kinds = streams.map(({ codec_type: type }) => String(type));
  const picture = streams.find(({ codec_type: type }) => type === 'video');
  const isStill = format.duration === undefined || /image2|_pipe/.test(format.format_name);
  const rate = isStill ? '' : `fps=${PER_SECOND}:eof_action=pass,`;
  const cells: MediaQuery = {
    inputs: [[file]],
    output: ([index]) => [
      ...['-map', `${index}:v:0`, '-vf', `${rate}scale=${GRID.columns}:${GRID.rows}:flags=area,format=rgb24`],
      ...['-fps_mode', 'passthrough', '-f', 'rawvideo'],
    ],
  };
  const samples: MediaQuery = {
    inputs: [[file]],
    output: ([index]) => ['-map', `${index}:a:0`, '-ac', '1', '-ar', `${SAMPLE_RATE}`, '-f', 's16le'],
  };
  const read = (kind: string, query: MediaQuery): Promise<Buffer> =>
    kinds.includes(kind)
      ? runQueries(query).then(
          ([{ bytes }]) => bytes,
          () => Buffer.of(),
        )
      : Promise.resolve(Buffer.of());
  const [pixels, sound] = await Promise.all([read('video', cells), read('audio', samples)]);
  const shape = picture && shapeOf(picture);
  const size = 3 * GRID.columns * GRID.rows;
  return {
    kinds,
    pictures: Math.floor(pixels.length / size),
    seconds: Number(format.duration ?? 0),
    ...(shape && { shape }),
    visible: countChunks(pixels, size, isVisible) / PER_SECOND,
    audible: countChunks(sound, (2 * SAMPLE_RATE) / PER_SECOND, isAudible) / PER_SECOND,
  };
}

function shapeOf({ width, height, sample_aspect_ratio: sent }: Readonly<Record<string, unknown>>): Shape {
  const [wide = 1, high = 1] = /^[1-9]\d*:[1-9]/.test(String(sent)) ? String(sent).split(':').map(Number) : [];
  const [w, h] = [Number(width), Number(height)];
  return { shown: (w * wide) / (h * high), stored: w / h, pixels: w * h };
}

function countChunks(bytes: Buffer, size: number, test: (chunk: Buffer) => boolean): number {
  let found = 0;
  for (let at = 0; at + size <= bytes.length; at += size) if (test(bytes.subarray(at, at + size))) found += 1;
  return found;
}

const isVisible = (cells: Buffer): boolean => cells.some((value) => value > BLACK_LEVEL);

function isAudible(samples: Buffer): boolean {
  let power = 0;
  for (let at = 0; at < samples.length; at += 2) power += samples.readInt16LE(at) ** 2;
  return Math.sqrt(power / (samples.length / 2)) > SILENCE_LEVEL;
}
