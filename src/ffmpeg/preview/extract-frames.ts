import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '../../domain/failure.ts';
import { readPrinted } from '../log/printed-frames.ts';
import { frameChain } from '../plan/preview/frame-chain.ts';
import type { Size } from '../plan/preview/layout.ts';
import type { Picture } from '../plan/preview/picture.ts';
import {
  type ArgvFacts,
  type FrameArgs,
  framesArgv,
  type PreviewInput,
  type Search,
} from '../plan/preview/preview-argv.ts';
import { rounded } from '../plan/preview/times.ts';
import { type FfmpegRunner, runFfmpeg } from './run-ffmpeg.ts';
import { isWritten } from './written-file.ts';

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
export interface Extraction {
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
