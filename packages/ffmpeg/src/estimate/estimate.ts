import { parseDuration } from '@telecine/contract/domain/duration.ts';
import {
  addRanges,
  type ConversionEstimate,
  capRange,
  type EstimatedRange,
  type EstimatedStream,
  type OutputEstimate,
  type SizeBasis,
  type TimeEstimate,
} from '@telecine/contract/domain/estimate.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { Plan, PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { holdsOnlyCover } from '../allowlist/containers.ts';
import { usualSide } from '../sampling/choosers/frame-size.ts';
import { fillArgv } from '../sampling/fill-argv.ts';
import { readNumber } from '../values/number.ts';
import { secondsAfterCut } from '../values/span-length.ts';
import { conversionSeconds, type EstimatedOutput, type Machine, workOf } from './conversion-time.ts';
import { type EstimatedInput, estimatedInput } from './input-streams.ts';
import { type Command, type CommandOptions, lastOf, NoEstimate, readArgv } from './links.ts';
import { isCover, type OutputStream, outputStreams, type SelectedStream, selectStreams } from './output-streams.ts';
import { audioRate, imageBytes, isImageEncoder, videoRate } from './stream-size.ts';

/** The bytes that a container adds, as a share of the bytes of its streams. In MPEG-TS, at least 4 of 188 bytes are a header. */
const OVERHEAD: Readonly<Record<string, number>> = { mpegts: 0.07, hls: 0.07, mpeg: 0.02 };
const USUAL_OVERHEAD = 0.004;
/** The bytes of the headers and the index of any file. */
const HEADERS = 2000;

export type EstimatedPlan = Pick<
  Plan,
  | 'inputs'
  | 'outputs'
  | 'passes'
  | 'analysis'
  | 'checks'
  | 'join'
  | 'cut'
  | 'transcript'
  | 'quality'
  | 'ladder'
  | 'frameSize'
  | 'maxBytes'
>;

/**
 * Estimates the outputs of a plan. Pure.
 *
 * @param media For each input of the plan, what ffprobe found, or a sentence that says why this is unknown.
 * @param machines The machines of which one will run the plan.
 */
export function estimate(
  plan: EstimatedPlan,
  media: readonly (MediaInfo | string)[],
  machines: readonly Machine[],
): ConversionEstimate {
  const known = plan.outputs.map((output) => knownOutput(plan, output, media));
  return {
    outputs: known.map((one, index) =>
      typeof one === 'string' ? { ...joinedLength(plan.outputs[index]), unknown: one } : outputEstimate(one, plan),
    ),
    time: timeOf(known, plan, machines),
  };
}

/** The duration of an output that joins inputs, or parts of one input. Empty object: the plan does not contain the duration. */
function joinedLength(output: PlannedOutput | undefined): Pick<OutputEstimate, 'durationSeconds'> {
  const { joined, output: trim } = output?.span ?? {};
  return joined === undefined || trim === undefined
    ? {}
    : { durationSeconds: rounded(secondsAfterCut(joined, trim), 2) };
}

const reasonOf = (error: unknown): string => {
  if (error instanceof NoEstimate) return error.message;
  throw error;
};

/** The facts about an output, or a sentence that says why they are unknown. */
export function knownOutput(
  plan: EstimatedPlan,
  output: PlannedOutput,
  media: readonly (MediaInfo | string)[],
): EstimatedOutput | string {
  if (plan.analysis !== undefined) return 'An analysis writes no file.';
  if (plan.join !== undefined) return 'Joined inputs are not estimated.';
  if (plan.cut !== undefined) return 'Parts of an input are not estimated.';
  if (plan.transcript !== undefined) return 'Captions are not estimated.';
  if (plan.ladder !== undefined) return 'The job finds out how many rungs a ladder of this video has.';
  try {
    const { command, inputs } = openInputs(plan, output, media);
    const startSeconds = output.span.output.start ?? 0;
    return {
      ...outputStreams(command, inputs, output),
      inputs,
      options: command.output,
      muxer: output.muxer,
      startSeconds,
    };
  } catch (error) {
    return reasonOf(error);
  }
}

/** An argv with the usual frame size in place of the one that the job will choose. */
function inUsualSize(argv: readonly string[], { frameSize }: EstimatedPlan): readonly string[] {
  if (frameSize === undefined) return argv;
  const sideOf = (side: 'iw' | 'ih'): string => `'${usualSide(side, frameSize.bitsPerSecond)}'`;
  return fillArgv(argv, { width: sideOf('iw'), height: sideOf('ih') });
}

/** The command that writes an output, and its inputs. Throws `NoEstimate`. */
function openInputs(
  plan: EstimatedPlan,
  output: PlannedOutput,
  media: readonly (MediaInfo | string)[],
): { readonly command: Command; readonly inputs: readonly EstimatedInput[] } {
  const command = readArgv(inUsualSize(output.argv ?? plan.passes.at(-1) ?? [], plan));
  const inputs = command.inputs.map(({ name, options }) => {
    const at = plan.inputs.findIndex(({ logical }) => logical === name);
    const found = media[at];
    if (found === undefined) throw new NoEstimate('Inputs that filters generate are not estimated.');
    if (typeof found === 'string') throw new NoEstimate(found);
    const cut = output.span.inputs[at] ?? {};
    const looped = lastOf(options, 't');
    const duration = cut.duration ?? (looped === undefined ? undefined : parseDuration(looped));
    return estimatedInput(found, options, { ...cut, ...(duration !== undefined && { duration }) });
  });
  return { command, inputs };
}

/** The streams of an output, which may be known even if its size or length is not, as after a filter. undefined: unknown. */
export function selectedOutput(
  plan: EstimatedPlan,
  output: PlannedOutput,
  media: readonly MediaInfo[],
): { readonly inputs: readonly EstimatedInput[]; readonly streams: readonly SelectedStream[] } | undefined {
  if (plan.cut !== undefined || plan.transcript !== undefined) return undefined;
  try {
    const { command, inputs } = openInputs(plan, output, media);
    return { inputs, streams: selectStreams(command, inputs, output) };
  } catch (error) {
    reasonOf(error);
    return undefined;
  }
}

function outputEstimate(output: EstimatedOutput, plan: EstimatedPlan): OutputEstimate {
  const { streams, seconds, options, muxer } = output;
  const isImage = muxer === 'image2';
  const known = {
    ...(!isImage && { durationSeconds: rounded(seconds, 2) }),
    streams: streams.filter((one) => !isDiscarded(one, muxer)).map(estimatedStream),
  };
  try {
    const basis = new Set<SizeBasis>();
    let sizeBytes: EstimatedRange = { low: HEADERS, likely: HEADERS, high: HEADERS };
    if (isImage || muxer === 'gif' || muxer === 'webp' || muxer === 'apng') {
      sizeBytes = imageBytes(streams, options, muxer);
      basis.add('model');
    } else
      for (const stream of streams) {
        const known = streamBytes(stream, output, plan);
        if (known === undefined) continue;
        basis.add(known.basis);
        sizeBytes = addRanges(sizeBytes, known.bytes);
      }
    const limit = readNumber(lastOf(options, 'fs') ?? '');
    if (limit !== undefined && limit < sizeBytes.high) {
      basis.add('limit');
      sizeBytes = capRange(sizeBytes, limit);
    }
    return { ...known, sizeBytes: wholeBytes(sizeBytes), basis: [...basis] };
  } catch (error) {
    return { ...known, unknown: reasonOf(error) };
  }
}

function estimatedStream(stream: OutputStream): EstimatedStream {
  const { kind: type, encoder, from } = stream;
  const isCopied = encoder === 'copy';
  return {
    type,
    codec: isCopied ? (from?.stream.codec ?? 'unknown') : encoder,
    isCopied,
    ...(stream.kind === 'video'
      ? { width: Math.round(stream.width), height: Math.round(stream.height), frameRate: rounded(stream.fps, 2) }
      : { channels: stream.channels }),
  };
}

/** True if the muxer discards this video, because it stores only covers. */
const isDiscarded = (stream: OutputStream, muxer: string): boolean =>
  stream.kind === 'video' && !isCover(stream) && holdsOnlyCover(muxer);

/** The bytes of a stream in its container. undefined: the muxer discards the stream. */
function streamBytes(
  stream: OutputStream,
  { options, muxer }: EstimatedOutput,
  plan: EstimatedPlan,
): { readonly bytes: EstimatedRange; readonly basis: SizeBasis } | undefined {
  if (isDiscarded(stream, muxer)) return undefined;
  if (stream.kind === 'video' && isCover(stream) && isImageEncoder(stream.encoder))
    return { bytes: imageBytes([stream], options, muxer), basis: 'model' };
  const { bitsPerSecond, basis } = rateOf(stream, options, plan);
  return {
    bytes: scaled(bitsPerSecond, (stream.seconds / 8) * (1 + (OVERHEAD[muxer] ?? USUAL_OVERHEAD))),
    basis,
  };
}

const rateOf = (stream: OutputStream, options: CommandOptions, { passes }: EstimatedPlan) =>
  stream.kind === 'video' ? videoRate(stream, options, passes.length) : audioRate(stream, options);

const scaled = ({ low, likely, high }: EstimatedRange, factor: number): EstimatedRange => ({
  low: low * factor,
  likely: likely * factor,
  high: high * factor,
});

const wholeBytes = ({ low, likely, high }: EstimatedRange): EstimatedRange => ({
  low: threeDigits(low),
  likely: threeDigits(likely),
  high: threeDigits(high),
});

/** Rounds to three digits. More would suggest a precision that the estimate lacks. */
const threeDigits = (value: number): number => (value < 1000 ? Math.round(value) : Number(value.toPrecision(3)));

function timeOf(
  known: readonly (EstimatedOutput | string)[],
  plan: EstimatedPlan,
  machines: readonly Machine[],
): TimeEstimate {
  const missing = known.find((one) => typeof one === 'string');
  if (missing !== undefined) return { unknown: missing };
  try {
    const outputs = known.filter((one) => typeof one !== 'string');
    const found = conversionSeconds(workOf(outputs, plan), machines);
    if ('longerThan' in found) return { longerThanSeconds: twoDigits(found.longerThan), unknown: found.unknown };
    const { low, likely, high } = found.range;
    return {
      seconds: { low: twoDigits(low), likely: twoDigits(likely), high: twoDigits(high) },
      basis: found.basis,
    };
  } catch (error) {
    return { unknown: reasonOf(error) };
  }
}

const twoDigits = (seconds: number): number => Number(seconds.toPrecision(2));
