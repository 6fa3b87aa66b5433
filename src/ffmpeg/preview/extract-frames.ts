import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, JobFailed } from '../../domain/failure.ts';
import { maxPreviewBytes, type PreviewFormat, type PreviewSpec } from '../../domain/preview.ts';
import { readPrinted } from '../log/printed-frames.ts';
import { candidatesOf, choosePicture, composeChain, scaled } from '../plan/preview/candidates.ts';
import { type Layout, rounded, type Size } from '../plan/preview/layout.ts';
import { frameChain, type Picture } from '../plan/preview/picture.ts';
import {
  type ArgvFacts,
  composeArgv,
  type FrameArgs,
  framesArgv,
  type PreviewInput,
  type Search,
} from '../plan/preview/preview-argv.ts';
import { type FfmpegRunner, runFfmpeg } from './run-ffmpeg.ts';

/** A frame that a preview shows. */
export interface WantedFrame {
  readonly input: PreviewInput;
  readonly picture: Picture;
  /** Absent for a still picture. */
  readonly time?: number;
  readonly search: Search;
  readonly frame: Size;
  readonly tile: Size;
}

/** The times of the frames that were written as tiles, by index. A frame that could not be decoded is missing. */
interface Extraction {
  readonly times: ReadonlyMap<number, number>;
  /** Why a run failed. Other frames may have been written. */
  readonly failure?: Failure;
}

/** The pixels of all frames that one run decodes at the same time: those of one 4K picture. */
const PIXELS_AT_ONCE = 4096 * 2160;
const MAX_INPUTS = 6;

/** The name of a tile in the private folder. */
export const TILES = 'out/t%03d.png';
const tileName = (index: number): string => `out/t${String(index).padStart(3, '0')}.png`;
/** Each search has its own, because one that fails writes none. */
const timesName = (index: number, search: Search): string => `pass/t${index}-${search.replace(' ', '-')}.txt`;

/** Writes the frames as tiles. Repeats the search of those that are missing, or are the same key frame as the one before. */
export async function extractFrames(
  r: FfmpegRunner,
  frames: readonly WantedFrame[],
  facts: ArgvFacts,
): Promise<Extraction> {
  const times = new Map<number, number>();
  let failure: Failure | undefined;
  const search = async (indexes: readonly number[], how?: Search): Promise<void> => {
    for (const batch of batches(indexes, frames)) {
      const args = batch.flatMap((index) => {
        const wanted = frames[index];
        return wanted === undefined ? [] : [frameArgs(wanted, index, how ?? wanted.search, facts)];
      });
      const run = await runFfmpeg(r, framesArgv(args, facts));
      failure ??= run.failure;
      if (run.failure !== undefined && ENDS.has(run.failure.code)) return;
      for (const [at, index] of batch.entries()) {
        const one = args[at];
        const found = one && (await frameTime(r.dir, index, one));
        if (found !== undefined) times.set(index, found);
      }
    }
  };
  const all = frames.map((_one, index) => index);
  const mayGoOn = (): boolean => failure === undefined || !ENDS.has(failure.code);
  await search(all);
  const repeated = all.filter(
    (index) =>
      frames[index]?.search === 'key frame' && (!times.has(index) || times.get(index) === times.get(index - 1)),
  );
  if (repeated.length > 0 && mayGoOn()) await search(repeated, 'exact');
  const missing = all.filter((index) => !times.has(index) && frames[index]?.time !== undefined);
  if (missing.length > 0 && mayGoOn()) await search(missing, 'last');
  return { times, ...(failure !== undefined && { failure }) };
}

/** After these failures, other searches fail too. */
const ENDS: ReadonlySet<Failure['code']> = new Set(['TIMEOUT', 'LIMIT_EXCEEDED']);

/** Groups frames so that one run decodes few large pictures at the same time. */
function* batches(indexes: readonly number[], frames: readonly WantedFrame[]): Generator<readonly number[]> {
  let batch: number[] = [];
  let pixels = 0;
  for (const index of indexes) {
    const more = frames[index]?.picture.codedPixels ?? 0;
    if (batch.length > 0 && (batch.length === MAX_INPUTS || pixels + more > PIXELS_AT_ONCE)) {
      yield batch;
      batch = [];
      pixels = 0;
    }
    batch.push(index);
    pixels += more;
  }
  if (batch.length > 0) yield batch;
}

function frameArgs(wanted: WantedFrame, index: number, how: Search, facts: ArgvFacts): FrameArgs {
  const { filters } = facts.catalogue.lists;
  const { input, picture, time, frame, tile } = wanted;
  const mapsTones = filters.has('zscale') && filters.has('tonemap');
  return {
    input,
    stream: picture.index,
    ...(time !== undefined && { time }),
    search: how,
    chain: frameChain(picture, { frame, tile }, timesName(index, how), { mapsTones }),
    tile: tileName(index),
  };
}

/** The time of the frame in a tile. undefined if this search found none. */
async function frameTime(dir: string, index: number, { time = 0, search }: FrameArgs): Promise<number | undefined> {
  if (!(await isWritten(join(dir, tileName(index))))) return undefined;
  let found: number | undefined;
  for await (const { at } of readPrinted(join(dir, timesName(index, search)))) {
    found = Number.isFinite(at) ? time + at : time;
    if (search !== 'last') break;
  }
  return found === undefined ? undefined : Math.max(0, rounded(found));
}

/** Gives the tiles of these frames the first numbers: a demuxer of numbered pictures stops at a gap. */
export async function numberTiles(dir: string, frames: readonly number[]): Promise<void> {
  const path = (index: number): string => join(dir, tileName(index));
  for (const [to, from] of frames.entries()) if (to !== from) await rename(path(from), path(to));
  await rm(path(frames.length), { force: true });
}

interface ComposedPicture extends Size {
  readonly format: PreviewFormat;
  readonly bytes: Uint8Array;
}

/** How much smaller the picture gets until it fits: noise cannot be compressed, and PNG hardly compresses films. */
const SCALES = [1, 0.7, 0.5, 0.35, 0.25];

/** Puts the tiles together, in the best quality that fits. Throws JobFailed. */
export async function composePicture(
  r: FfmpegRunner,
  spec: PreviewSpec,
  layout: Pick<Layout, 'columns' | 'rows' | 'size'>,
  facts: ArgvFacts,
): Promise<ComposedPicture> {
  const candidates = candidatesOf(spec, spec.view === 'waveform');
  const maxBytes = maxPreviewBytes(layout.size.width * layout.size.height);
  for (const scale of SCALES) {
    // The inputs are not visible: this run reads only tiles.
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
    const chosen = choosePicture(written.flat(), maxBytes);
    if (chosen !== undefined)
      return {
        format: chosen.format,
        bytes: chosen.bytes,
        ...(scale === 1 ? layout.size : scaled(layout.size, scale)),
      };
  }
  throw new JobFailed({
    code: 'UNSUPPORTED',
    message: `The picture does not fit into ${maxBytes} bytes.`,
    fix: 'Ask for a smaller width, fewer columns and rows, or the format jpeg.',
  });
}

/** A finished picture is smaller. */
const MAX_BYTES = 8 * 2 ** 20;

/**
 * Reads a file that ffmpeg wrote. undefined if there is none, or it is empty or too large. An ffmpeg that was exploited may have put
 * anything there, such as a symlink to a file of the service, so only a regular file is read.
 */
export async function readWritten(path: string): Promise<Uint8Array | undefined> {
  const handle = await openWritten(path);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size === 0 || stats.size > MAX_BYTES) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(stats.size), 0, stats.size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Whether ffmpeg wrote a file that is not empty. */
export async function isWritten(path: string): Promise<boolean> {
  const handle = await openWritten(path);
  if (handle === undefined) return false;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size > 0;
  } finally {
    await handle.close();
  }
}

const openWritten = (path: string) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
