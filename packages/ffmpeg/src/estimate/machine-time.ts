import type { WorkKind } from '@telecine/contract/domain/work-kinds.ts';

/** Bytes of copied streams per second. Disks are faster, networks slower. */
export const COPIED_BYTES = 150e6;
/** The share of the cores that an encoder uses: some of its threads wait for others. */
const USED_CORES = 0.85;
/** More cores are not counted, because they hardly make the encoding of ordinary videos faster. */
const MAX_CORES = 12;

/**
 * From how many processor seconds on a job is long, by a rough estimate at its submission: two minutes on twelve cores, and
 * twelve minutes on two.
 */
export const LONG_SECONDS = 1200;

/** The work of a conversion, without the machine that does it. */
export interface Work {
  readonly kind: WorkKind;
  /** The processor seconds of a core with about 2.5 GHz. */
  readonly processorSeconds: number;
  /** The seconds for reading and writing copied streams. */
  readonly copySeconds: number;
  /** The part of `processorSeconds` that is not decoding and encoding, but filters that take long. */
  readonly filterSeconds?: number;
  /** How long it takes at least, on any number of cores: filters with one thread, and encoders with few threads. */
  readonly leastSeconds?: number;
  /** How many times ffmpeg starts. Default: once. */
  readonly starts?: number;
  /**
   * true: `processorSeconds` is only a measure of the frames, because the model does not know the encoder. Only a measured
   * speed converts it to seconds.
   */
  readonly needsMeasurement?: true;
}

/** The seconds that a sandbox and ffmpeg take to start and to end. */
const START = 0.1;

/** The seconds of all starts of ffmpeg, in which it converts nothing. */
export const startSeconds = ({ starts = 1 }: Pick<Work, 'starts'>): number => starts * START;

/** The seconds that ffmpeg runs by the model, on a machine without other jobs and without `startSeconds`. */
export const modelSeconds = ({ kind, processorSeconds, copySeconds, leastSeconds = 0 }: Work, cores: number): number =>
  Math.max(processorSeconds / wantedCores(kind, cores), leastSeconds) + copySeconds;

/**
 * True if the time of the work is mostly that of encoders, decoders and copies, so that it shows how fast a machine is at this kind. How
 * long filters take depends on their options more than on the machine.
 */
export const showsSpeed = ({ processorSeconds, filterSeconds = 0 }: Work): boolean =>
  filterSeconds <= processorSeconds / 2;

/** How many of these cores encoders use. */
export const usedByEncoders = (cores: number): number => Math.max(1, cores * USED_CORES);

/** How many cores a conversion uses if it has the machine for itself. Encoders of audio have one thread. */
export const wantedCores = (kind: WorkKind, cores: number): number =>
  kind === 'audio' || kind === 'copy' ? 1 : usedByEncoders(Math.min(cores, MAX_CORES));

/** How many cores a conversion uses on average if it has the machine for itself. */
const usedCores = ({ kind, processorSeconds, leastSeconds = 0 }: Work, cores: number): number =>
  Math.min(wantedCores(kind, cores), leastSeconds > 0 ? Math.max(1, processorSeconds / leastSeconds) : cores);

/** How much longer a conversion takes because other jobs use cores too. The operating system shares them. */
export const slowdown = (work: Work, busyCores: number, cores: number): number =>
  Math.max(1, (usedCores(work, cores) + busyCores) / Math.max(1, cores));
