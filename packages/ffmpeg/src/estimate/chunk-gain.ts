import type { WorkKind } from '@telecine/contract/domain/work-kinds.ts';
import { COPIED_BYTES, modelSeconds, usedByEncoders, type Work, wantedCores } from './machine-time.ts';

/** The work of a conversion, and which part of it several workers can share by chunks. */
export interface ChunkWork {
  /** The conversion without chunks. */
  readonly whole: Work;
  /** The processor seconds of all chunks together: decoding, filters and all passes of the videos. */
  readonly sharedSeconds: number;
  /** How long all chunks take one after the other at least, on any number of cores. */
  readonly leastSeconds: number;
  /** The processor seconds of the samples that one worker tries before the first chunk. */
  readonly searchSeconds: number;
  /** The seconds of all streams but the videos, which one worker converts in one thread. */
  readonly restSeconds: number;
  /** The bytes of the input, all of which are read to list its frames. */
  readonly inputBytes: number;
  /** The bytes of the outputs, which are written once more to join them. */
  readonly outputBytes: number;
}

/** The workers that share a conversion. */
export interface SharingWorkers {
  /** Their machines, at least one. */
  readonly machines: readonly SharingMachine[];
  /** The slots of all workers. */
  readonly slots: number;
}

/** A machine on which workers share a conversion. */
export interface SharingMachine {
  /** How many cores each of its workers may use. */
  readonly workers: readonly number[];
  /** How many cores they may use together. */
  readonly cores: number;
}

/** The seconds that a chunk costs besides its frames: starts of ffmpeg and ffprobe, and writes to the database. */
const CHUNK_SECONDS = 0.3;

/** Chunks pay if they take at most this share of the time of the whole: they need the processor time and the disk of others. */
const WORTH = 0.8;

/** The seconds that one worker needs for the whole conversion. */
export const wholeSeconds = ({ whole, restSeconds, inputBytes }: ChunkWork, cores: number): number =>
  Math.max(modelSeconds(whole, cores), restSeconds, inputBytes / COPIED_BYTES);

/**
 * The seconds that workers need for all chunks. Reading the input, the other streams and the chunks go on at the same time; samples come
 * before, and the join after them.
 *
 * @param count The number of chunks.
 */
export function secondsInChunks(
  { whole: { kind }, sharedSeconds, leastSeconds, searchSeconds, restSeconds, ...bytes }: ChunkWork,
  shared: SharingWorkers,
  count: number,
): number {
  const { slots } = shared;
  const encoding = (sharedSeconds + restSeconds) / usedTogether(kind, shared);
  return (
    meanOf(shared, (cores) => searchSeconds / wantedCores(kind, cores)) +
    Math.max(
      Math.max(encoding, leastSeconds / slots) + (count * CHUNK_SECONDS) / slots,
      restSeconds,
      bytes.inputBytes / COPIED_BYTES,
    ) +
    bytes.outputBytes / COPIED_BYTES
  );
}

/** How many cores chunks use at the same time. Workers that share the cores of a machine use no more than it has. */
function usedTogether(kind: WorkKind, shared: SharingWorkers): number {
  const wanted = (cores: number): number => wantedCores(kind, cores);
  const onMachine = ({ workers, cores }: SharingMachine): number => {
    const ofWorkers = sumOf(workers.map(wanted));
    return cores < sumOf(workers) ? Math.min(ofWorkers, usedByEncoders(cores)) : ofWorkers;
  };
  return Math.min(sumOf(shared.machines.map(onMachine)), shared.slots * meanOf(shared, wanted));
}

/** The mean over all workers, because any of them may run the job. */
function meanOf({ machines }: SharingWorkers, ofWorker: (cores: number) => number): number {
  const all = machines.flatMap(({ workers }) => workers);
  return sumOf(all.map(ofWorker)) / all.length;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The seconds that one of the workers needs for the whole conversion. */
const wholeOnOne = (work: ChunkWork, shared: SharingWorkers): number =>
  meanOf(shared, (cores) => wholeSeconds(work, cores));

/** How long all chunks take, as a share of the time of the whole. See `secondsInChunks`. */
export const chunkShare = (work: ChunkWork, shared: SharingWorkers, count: number): number =>
  secondsInChunks(work, shared, count) / wholeOnOne(work, shared);

/**
 * Returns why chunks do not pay, as a sentence: what workers cannot share takes most of the time, or chunks need too much besides. undefined:
 * they pay.
 */
export function whyNotInChunks(work: ChunkWork, shared: SharingWorkers, count: number): string | undefined {
  const [whole, inChunks] = [wholeOnOne(work, shared), secondsInChunks(work, shared, count)];
  if (inChunks <= whole * WORTH) return undefined;
  return `Chunks would save too little: by the estimate, the conversion takes ${inWords(whole)} whole, and ${inWords(inChunks)} in chunks.`;
}

const inWords = (seconds: number): string =>
  seconds < 120 ? `${Number(seconds.toPrecision(2))} s` : `${Math.round(seconds / 60)} min`;
