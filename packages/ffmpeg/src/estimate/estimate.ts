import type {
  ConversionEstimate,
  EstimatedStream,
  OutputEstimate,
  SizeBasis,
  TimeEstimate,
} from '@telecine/contract/domain/estimate.ts';
import type { Plan, PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { holdsOnlyCover } from '../allowlist/containers.ts';
import { readNumber } from '../values/number.ts';
import { secondsAfterCut } from '../values/span-length.ts';
import { lastOf } from './command.ts';
import { START_SECONDS, secondsOn, type Work } from './machine-time.ts';
import { isCover, type PredictedStream, type Prediction } from './predict.ts';
import { type StreamSize, sizeOf } from './sizes.ts';
import { workOf } from './work.ts';

/** A machine that may run a conversion. `busyCores`: how many cores its other jobs use meanwhile. */
export interface Machine {
  readonly cores: number;
  readonly busyCores?: number;
}

/** What jobs of one kind took, divided by what was expected without measurements. */
export interface Measured {
  readonly kind: string;
  /** Those of the machine. 0: sizes, which are the same on each machine. */
  readonly processors: number;
  readonly jobs: number;
  /** The mean and the variance of the logarithms. */
  readonly mean: number;
  readonly variance: number;
}

/** Fewer jobs say nothing: a single one can be an exception. */
const ENOUGH_JOBS = 3;

/** The factor around a time of which no jobs are measured. */
const UNMEASURED = 4;

/** Jobs that were alike do not tell how different the next one is. So some jobs with this variance are assumed besides. */
const ASSUMED = { jobs: 5, variance: Math.log(1.35) ** 2 };

/** The bytes of the headers and the index of any file. */
const HEADERS = 2000;

/** Seconds for the work before and after the runs of ffmpeg. */
const STAGING = 0.05;

type Predictions = readonly (Prediction | string)[];

/** The outputs that are known, if all are. Otherwise, why one is not. */
export function allKnown(predictions: Predictions): readonly Prediction[] | string {
  const reason = predictions
    .map((one) => (typeof one === 'string' ? one : one.unknown))
    .find((one) => one !== undefined);
  return reason ?? predictions.filter((one) => typeof one !== 'string');
}

/** The kinds of which `estimate` needs what was measured. */
export function estimatedKinds(plan: Plan, predictions: Predictions): readonly string[] {
  const outputs = allKnown(predictions);
  const sizes = predictions.flatMap((one) => (typeof one === 'string' ? [] : sizesOf(one, plan)));
  return [
    ...(typeof outputs === 'string' ? [] : [workOf(outputs, plan).kind]),
    ...sizes.flatMap(({ kind = [] }) => kind),
  ];
}

/**
 * Estimates the outputs of a plan, and how long it runs on whichever of the machines takes it. Pure.
 *
 * @param predictions For each output, the prediction, or a sentence that says why there is none.
 * @param rows What was measured of `estimatedKinds`.
 */
export function estimate(
  plan: Plan,
  predictions: Predictions,
  machines: readonly Machine[],
  rows: readonly Measured[],
): ConversionEstimate {
  const outputs = allKnown(predictions);
  return {
    outputs: predictions.map((one, index) => ({
      ...joinedLength(plan.outputs[index]),
      ...(typeof one === 'string' ? { unknown: one } : outputEstimate(one, plan, rows)),
    })),
    time: typeof outputs === 'string' ? { unknown: outputs } : timeOf(workOf(outputs, plan), machines, rows),
  };
}

/** The duration of an output that joins inputs, or parts of one input. Empty object: the plan does not contain the duration. */
function joinedLength(output: PlannedOutput | undefined): Pick<OutputEstimate, 'durationSeconds'> {
  const { joined, output: trim = {} } = output?.span ?? {};
  return joined === undefined ? {} : { durationSeconds: rounded(secondsAfterCut(joined, trim), 2) };
}

/**
 * How jobs of a kind differ from what is expected: `ratio` is real to expected. Nine of ten jobs are within `factor` around that. Without enough
 * measured jobs, the ratio is 1, and the factor is `usual`.
 */
function correctionBy(row: Measured | undefined, usual: number) {
  if (row === undefined || row.jobs < ENOUGH_JOBS) return { ratio: 1, factor: usual, isMeasured: false };
  const { jobs, mean, variance } = row;
  const pooled = (jobs * variance + ASSUMED.jobs * ASSUMED.variance) / (jobs + ASSUMED.jobs);
  return { ratio: Math.exp(mean), factor: Math.exp(1.645 * Math.sqrt(pooled * (1 + 1 / jobs))), isMeasured: true };
}

/** The streams that are stored: some muxers discard videos, because they store only covers. */
const storedStreams = ({ streams, muxer }: Prediction): readonly PredictedStream[] =>
  streams.filter((one) => one.link.kind === 'audio' || isCover(one) || !holdsOnlyCover(muxer));

export const sizesOf = (output: Prediction, { passes }: Plan): readonly StreamSize[] =>
  storedStreams(output).map((one) => sizeOf(one, output, passes.length));

function outputEstimate(output: Prediction, plan: Plan, rows: readonly Measured[]): OutputEstimate {
  const { seconds, options, muxer, unknown } = output;
  if (unknown !== undefined) return { unknown };
  const known = {
    ...(muxer !== 'image2' && { durationSeconds: rounded(seconds, 2) }),
    streams: storedStreams(output).map(estimatedStream),
  };
  const sizes = sizesOf(output, plan).map(({ bytes, most = Number.POSITIVE_INFINITY, ...size }) => {
    const { ratio, factor, isMeasured } = correctionBy(
      rows.find(({ kind }) => kind === size.kind),
      size.factor,
    );
    const basis: SizeBasis = isMeasured ? 'jobs' : size.basis;
    return { likely: bytes * ratio, factor, most, basis, reason: isMeasured ? undefined : size.unknown };
  });
  const { reason } = sizes.find((one) => one.reason !== undefined) ?? {};
  if (reason !== undefined) return { ...known, unknown: reason };
  const limit = readNumber(lastOf(options, 'fs') ?? '') ?? plan.maxBytes ?? Number.POSITIVE_INFINITY;
  // A container adds to its streams. In MPEG-TS, at least 4 of 188 bytes are a header.
  const container = /^(?:mpegts|hls)$/.test(muxer) ? 1.07 : 1.004;
  /** The bytes at an end of the range (-1, 1), or between (0). The errors of streams often have the same cause, so they add up. */
  const sumAt = (end: -1 | 0 | 1): number =>
    container * sizes.reduce((sum, { likely, factor, most }) => sum + Math.min(likely * factor ** end, most), HEADERS);
  const bytesAt = (end: -1 | 0 | 1): number => {
    const bytes = Math.min(sumAt(end), limit);
    return bytes < 1000 ? Math.round(bytes) : Number(bytes.toPrecision(3));
  };
  const basis = new Set(sizes.map((one) => one.basis));
  if (limit < sumAt(1)) basis.add('limit');
  return { ...known, sizeBytes: { low: bytesAt(-1), likely: bytesAt(0), high: bytesAt(1) }, basis: [...basis] };
}

function estimatedStream({ link, encoder, from }: PredictedStream): EstimatedStream {
  const isCopied = encoder === 'copy';
  return {
    ...{ type: link.kind, codec: isCopied ? (from?.stream.codec ?? 'unknown') : encoder, isCopied },
    ...(link.kind === 'video'
      ? { width: Math.round(link.width), height: Math.round(link.height), frameRate: rounded(link.fps, 2) }
      : { channels: link.channels }),
  };
}

function timeOf(work: Work, machines: readonly Machine[], rows: readonly Measured[]): TimeEstimate {
  if (machines.length === 0) return { unknown: 'No worker runs, so nothing is known of its speed.' };
  const ofKind = rows.filter(({ kind }) => kind === work.kind).toSorted((a, b) => b.jobs - a.jobs);
  const each = machines.map(({ cores, busyCores = 0 }) => {
    const row = ofKind.find(({ processors }) => processors === cores) ?? ofKind[0];
    const { ratio, factor, isMeasured } = correctionBy(row, UNMEASURED);
    const secondsBeside = (busy: number): number => secondsOn(work, cores, busy) * ratio;
    const likely = secondsBeside(busyCores);
    // The other jobs may end at once, so the low end does not count them.
    return { low: secondsBeside(0) / factor, likely, high: likely * factor, isMeasured };
  });
  const isMeasured = each.every((one) => one.isMeasured);
  if (!isMeasured && work.unknown !== undefined) return { unknown: work.unknown };
  const round = (seconds: number): number => Number((STAGING + START_SECONDS + seconds).toPrecision(2));
  const likely = each.map((one) => one.likely).toSorted((a, b) => a - b);
  return {
    seconds: {
      low: round(Math.min(...each.map(({ low }) => low))),
      likely: round(likely[Math.floor(likely.length / 2)] ?? 0),
      high: round(Math.max(...each.map(({ high }) => high))),
    },
    basis: isMeasured ? 'jobs' : 'defaults',
  };
}
