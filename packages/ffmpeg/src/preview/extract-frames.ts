import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { maxPreviewBytes, type PreviewFormat, type PreviewSpec } from '@telecine/contract/domain/preview.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { readPrinted } from '../log/printed-frames.ts';
import { candidatesOf, chooseImage, composeChain, scaled } from '../plan/preview/candidates.ts';
import type { Layout, Size } from '../plan/preview/layout.ts';
import {
  type ArgvFacts,
  composeArgv,
  type FrameArgs,
  framesArgv,
  type PreviewInput,
  type Search,
} from '../plan/preview/preview-argv.ts';
import { frameChain, type ShownVideo } from '../plan/preview/shown-streams.ts';
import { readRegularFile } from '../process/regular-file.ts';
import { type FfmpegRunner, runFfmpeg } from './run-ffmpeg.ts';

/** A frame to show in a preview. */
export interface WantedFrame {
  /** The number of its tile. No other frame of the preview has it, so that no tile is replaced by another frame. */
  readonly index: number;
  readonly input: PreviewInput;
  readonly video: ShownVideo;
  /** The time in seconds. Absent for an image. */
  readonly time?: number;
  readonly search: Search;
  readonly frame: Size;
  readonly tile: Size;
  /** Whether the brightness of the frame is measured. */
  readonly measuresBrightness: boolean;
}

export interface Extraction {
  /** By index of a frame: the time of its tile. A frame that cannot be decoded has no entry. */
  readonly times: ReadonlyMap<number, number>;
  /** By index of a frame: its brightness, from 0 to 255. It has an entry if the build can measure it. */
  readonly brightness: ReadonlyMap<number, number>;
  /** Why a run failed. Other runs may have written tiles. */
  readonly failure?: Failure;
}

/** The maximum number of pixels that one run decodes at the same time: one 4K frame. */
const PIXELS_AT_ONCE = 4096 * 2160;
const MAX_INPUTS = 6;

/** The names of tiles in the private folder. The number of a tile is the index of its frame. */
export const TILES = 'out/t%03d.png';
const tileName = (index: number): string => `out/t${String(index).padStart(3, '0')}.png`;
const brightnessName = (index: number): string => `out/l${index}.gray`;
/**
 * The file in which ffmpeg writes the time of a frame. Each kind of search has its own file: a search that fails writes no file, so the
 * file of an earlier search would remain.
 */
const timesName = (index: number, search: Search): string => `pass/t${index}-${search.replace(' ', '-')}.txt`;

/**
 * Writes the frames as tiles. If a frame is missing, late, or the same key frame as the previous frame, searches for it in another way.
 *
 * @param isPartial Whether other bytes of the file are missing. Then frames before the times are not searched for.
 */
export async function extractFrames(
  r: FfmpegRunner,
  frames: readonly WantedFrame[],
  facts: ArgvFacts,
  isPartial: boolean,
): Promise<Extraction> {
  const times = new Map<number, number>();
  const brightness = new Map<number, number>();
  let failure: Failure | undefined;
  const search = async (wanted: readonly WantedFrame[], how?: Search): Promise<void> => {
    for (const batch of batches(wanted)) {
      const args = batch.map((frame) => frameArgs(frame, how ?? frame.search, facts));
      const run = await runFfmpeg(r, framesArgv(args, facts));
      failure ??= run.failure;
      if (run.failure !== undefined && ENDS.has(run.failure.code)) return;
      for (const [at, { index }] of batch.entries()) {
        const one = args[at];
        const found = one && (await frameTime(r.dir, index, one));
        if (found === undefined) continue;
        times.set(index, found);
        const mean = one?.brightnessFile === undefined ? undefined : await meanOf(join(r.dir, one.brightnessFile));
        if (mean !== undefined) brightness.set(index, mean);
      }
    }
  };
  const mayContinue = (): boolean => failure === undefined || !ENDS.has(failure.code);
  await search(frames);
  const repeated = frames.filter(
    ({ index, search: how }) => how === 'key frame' && (!times.has(index) || times.get(index) === times.get(index - 1)),
  );
  if (repeated.length > 0 && mayContinue()) await search(repeated, 'exact');
  const late = frames.filter(
    ({ index, time }) => time !== undefined && (times.get(index) ?? Number.POSITIVE_INFINITY) > time + LATE_SECONDS,
  );
  if (late.length > 0 && !isPartial && mayContinue()) await search(late, 'shown');
  // Files without an index lose all frames by a seek, even to their start.
  const [{ time: earliest } = {}] = frames;
  const first = frames.filter(({ time }) => time === earliest).map((frame) => ({ ...frame, time: 0 }));
  if (times.size === 0 && earliest !== undefined && earliest > 0 && !isPartial && mayContinue())
    await search(first, 'exact');
  return { times, brightness, ...(failure !== undefined && { failure }) };
}

/** The frame on screen may have begun earlier if the one that was found begins so many seconds after the time. */
const LATE_SECONDS = 0.1;

/** Failures after which another search would fail too. */
const ENDS: ReadonlySet<Failure['code']> = new Set(['TIMEOUT', 'LIMIT_EXCEEDED']);

/** Splits the frames into groups, one per run, so that a run does not decode too many large frames at the same time. */
function* batches(frames: readonly WantedFrame[]): Generator<readonly WantedFrame[]> {
  let batch: WantedFrame[] = [];
  let pixels = 0;
  for (const frame of frames) {
    const more = frame.video.codedPixels;
    if (batch.length > 0 && (batch.length === MAX_INPUTS || pixels + more > PIXELS_AT_ONCE)) {
      yield batch;
      batch = [];
      pixels = 0;
    }
    batch.push(frame);
    pixels += more;
  }
  if (batch.length > 0) yield batch;
}

function frameArgs(wanted: WantedFrame, how: Search, facts: ArgvFacts): FrameArgs {
  const { filters, muxers, encoders } = facts.catalogue.lists;
  const { index, input, video, time, frame, tile, measuresBrightness } = wanted;
  const mapsTones = filters.has('zscale') && filters.has('tonemap');
  const canMeasure = muxers.has('rawvideo') && encoders.has('rawvideo');
  return {
    input,
    stream: video.index,
    ...(time !== undefined && { time }),
    search: how,
    chain: frameChain(video, { frame, tile }, timesName(index, how), { mapsTones }),
    tile: tileName(index),
    ...(measuresBrightness && canMeasure && { brightnessFile: brightnessName(index) }),
  };
}

/** The mean of the bytes of a file that ffmpeg wrote. undefined: there are none. */
async function meanOf(path: string): Promise<number | undefined> {
  const bytes = await readWritten(path);
  return bytes && bytes.reduce((sum, one) => sum + one, 0) / bytes.length;
}

/** The time of the frame in a tile. undefined: this search found no frame. */
async function frameTime(dir: string, index: number, { time = 0, search }: FrameArgs): Promise<number | undefined> {
  if (!(await isWritten(join(dir, tileName(index))))) return undefined;
  let found: number | undefined;
  for await (const { at } of readPrinted(join(dir, timesName(index, search)))) {
    found = Number.isFinite(at) ? time + at : time;
    if (search !== 'shown') break;
  }
  return found === undefined ? undefined : Math.max(0, rounded(found));
}

/** Renames the tiles of these frames so that their numbers are 0, 1, 2, …: the demuxer of image sequences stops at a gap. */
export async function numberTiles(dir: string, frames: readonly number[]): Promise<void> {
  const path = (index: number): string => join(dir, tileName(index));
  for (const [to, from] of frames.entries()) if (to !== from) await rename(path(from), path(to));
  await rm(path(frames.length), { force: true });
}

interface ComposedImage extends Size {
  readonly format: PreviewFormat;
  readonly bytes: Uint8Array;
}

/** The factors by which an image is made smaller until it fits. They are needed for noise and for video as PNG, which hardly compress. */
const SCALES = [1, 0.7, 0.5, 0.35, 0.25];

/** Puts the tiles together in the best quality that fits. Throws JobFailed. */
export async function composeImage(
  r: FfmpegRunner,
  spec: PreviewSpec,
  layout: Pick<Layout, 'columns' | 'rows' | 'size'>,
  facts: ArgvFacts,
): Promise<ComposedImage> {
  const candidates = candidatesOf(spec, spec.view === 'waveform');
  const maxBytes = maxPreviewBytes(layout.size.width * layout.size.height);
  for (const scale of SCALES) {
    // The run reads only tiles, so it mounts no input.
    const run = await runFfmpeg(
      { ...r, mounts: [] },
      composeArgv(TILES, composeChain(layout, scale), candidates, facts),
    );
    if (run.failure !== undefined) throw new JobFailed(run.failure);
    const written = await Promise.all(
      candidates.map(async (one) => {
        const bytes = await readWritten(join(r.dir, one.logical));
        return bytes === undefined ? [] : [{ ...one, bytes, sizeBytes: bytes.length }];
      }),
    );
    const chosen = chooseImage(written.flat(), maxBytes);
    if (chosen !== undefined)
      return {
        format: chosen.format,
        bytes: chosen.bytes,
        ...(scale === 1 ? layout.size : scaled(layout.size, scale)),
      };
  }
  throw new JobFailed({
    code: 'UNSUPPORTED',
    message: `The image does not fit into ${maxBytes} bytes.`,
    fix: 'Ask for a smaller width, fewer columns and rows, or the format "jpeg".',
  });
}

/** The maximum number of bytes to read from a file that ffmpeg wrote. A preview must be smaller; see `maxPreviewBytes`. */
const MAX_BYTES = 8 * 2 ** 20;

/** Reads a file that ffmpeg wrote. undefined: it is missing, empty or too large. */
export const readWritten = (path: string): Promise<Uint8Array | undefined> =>
  readRegularFile(path, async (file, size) => {
    if (size === 0 || size > MAX_BYTES) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  });

/** True if ffmpeg wrote a file that is not empty. */
export const isWritten = async (path: string): Promise<boolean> =>
  (await readRegularFile(path, async (_file, size) => size > 0)) === true;
